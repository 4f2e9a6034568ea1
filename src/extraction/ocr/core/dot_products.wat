;; The multiplication of a matrix by a vector, which takes more time than anything else on a page.
;; `deno task wasm` compiles it into dot_products_wasm.ts, and `faster_core.ts` puts it in the place
;; of the function that Tesseract comes with. The results are the same, bit for bit.
;;
;; The syntax for repeated lines is explained in src/search/vectors/kernels.wat.
(module
  ;; In Tesseract, the first memory and the first global are the memory and the stack pointer. The
  ;; values here, and the exports, are for tests.
  (memory (export "memory") 4)
  (global $stack (mut i32) (i32.const 65536))

  ;; Writes `scale × (weights · input + 127 × bias)` for each output, up to a multiple of 4. All
  ;; numbers are from -127 to 127. A matrix has one column per input, and one for the biases.
  ;;
  ;; Tesseract arranges the weights in the way that `faster_core.ts` asks for: sets of 32 outputs,
  ;; and for the rest up to one of 16, 8 and 4 each. A set has the weights of 4 inputs for each of
  ;; its outputs, then those of the next 4 inputs and so on, and the biases. So a vector of 16 bytes
  ;; has the weights of 4 outputs, and 4 inputs in each of its lanes. Weights of 0 fill up the last
  ;; inputs and outputs.
  ;;
  ;; The instruction below multiplies signed numbers by numbers from 0 to 127. So the signs of the
  ;; inputs are moved to the weights, by inverting the weights of negative inputs. That makes them 1
  ;; smaller than the negative weights, so the magnitudes of negative inputs are added to all sums.
  (func (export "multiply") (param $outputs i32) (param $columns i32) (param $weights i32) (param $scales i32)
    (param $input i32) (param $results i32)
    (local $inputs i32) (local $size i32) (local $magnitudes i32) (local $signs i32) (local $at i32)
    (local $sign_at i32) (local $end i32) (local $values v128) (local $sign v128)
    (local $negatives v128)
    (;for SUM in 0..8;)
    (local $sum{SUM} v128)
    (;end;)

    ;; Nothing else runs in the meantime, so the memory below the stack pointer is free.
    (local.set $inputs (i32.sub (local.get $columns) (i32.const 1)))
    (local.set $size (i32.and (i32.add (local.get $inputs) (i32.const 15)) (i32.const -16)))
    (local.set $signs
      (i32.and (i32.sub (global.get $stack) (local.get $size)) (i32.const -16)))
    (local.set $magnitudes (i32.sub (local.get $signs) (local.get $size)))

    ;; Split the inputs into magnitudes and signs, which are 0 or -1.
    (loop $next_inputs
      (local.set $values (v128.load (i32.add (local.get $input) (local.get $at))))
      ;; What follows the last input counts as 0.
      (if (i32.gt_s (i32.add (local.get $at) (i32.const 16)) (local.get $inputs))
        (then
          (local.set $values
            (v128.and
              (local.get $values)
              (i8x16.lt_s
                (v128.const i8x16 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
                (i8x16.splat (i32.sub (local.get $inputs) (local.get $at))))))))
      (local.set $sign (i8x16.shr_s (local.get $values) (i32.const 7)))
      (local.set $values (i8x16.abs (local.get $values)))
      (v128.store (i32.add (local.get $signs) (local.get $at)) (local.get $sign))
      (v128.store (i32.add (local.get $magnitudes) (local.get $at)) (local.get $values))
      (local.set $negatives
        (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $sign) (local.get $values) (local.get $negatives)))
      (br_if $next_inputs
        (i32.lt_s
          (local.tee $at (i32.add (local.get $at) (i32.const 16)))
          (local.get $inputs))))
    ;; Add up the lanes, in all lanes.
    (local.set $negatives
      (i32x4.add
        (local.get $negatives)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7
          (local.get $negatives) (local.get $negatives))))
    (local.set $negatives
      (i32x4.add
        (local.get $negatives)
        (i8x16.shuffle 4 5 6 7 8 9 10 11 12 13 14 15 0 1 2 3
          (local.get $negatives) (local.get $negatives))))
    (local.set $negatives (i32x4.neg (local.get $negatives)))

    ;; The inputs are read 4 at a time.
    (local.set $size (i32.and (i32.add (local.get $inputs) (i32.const 3)) (i32.const -4)))
    (local.set $end (i32.add (local.get $magnitudes) (local.get $size)))
    (;for VECTORS in 8 4 2 1;)
    (block $end_of_sets
      (loop $next_set
        (br_if $end_of_sets
          (i32.le_s (local.get $outputs) (i32.const {4 * VECTORS - 4})))
        ;; Start with the biases, as the first of 4 weights whose inputs are 127, 0, 0 and 0.
        (local.set $at
          (i32.add
            (local.get $weights)
            (i32.shl (local.get $size) (i32.const {2 + Math.log2(VECTORS)}))))
        (;for VECTOR in 0..VECTORS;)
        (local.set $sum{VECTOR}
          (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (i32x4.extend_low_i16x8_u
              (i16x8.extend_low_i8x16_u (v128.load32_zero offset={4 * VECTOR} (local.get $at))))
            (v128.const i32x4 127 127 127 127)
            (local.get $negatives)))
        (;end;)
        ;; Small sets have two sums for each output, since an addition has to wait for the last one.
        (;for VECTOR in VECTORS..2 * VECTORS * (VECTORS < 8);)
        (local.set $sum{VECTOR} (v128.const i32x4 0 0 0 0))
        (;end;)
        (local.set $at (local.get $magnitudes))
        (local.set $sign_at (local.get $signs))
        ;; If the number of vectors of inputs is odd, the first one is alone.
        (;for TIMES in 1 2;)
        (if
          (;for ONLY in 0..TIMES === 1;)
          (i32.and (local.get $size) (i32.const 4))
          (;end;)
          (;for ONLY in 0..TIMES === 2;)
          (i32.lt_s (local.get $at) (local.get $end))
          (;end;)
          (then
            (loop $next_inputs
              (;for TIME in 0..TIMES;)
              (local.set $values (v128.load32_splat offset={4 * TIME} (local.get $at)))
              (local.set $sign (v128.load32_splat offset={4 * TIME} (local.get $sign_at)))
              (;for VECTOR in 0..VECTORS;)
              (local.set $sum{VECTOR + VECTORS * TIME * (VECTORS < 8)}
                (i32x4.relaxed_dot_i8x16_i7x16_add_s
                  (v128.xor
                    (v128.load offset={16 * VECTORS * TIME + 16 * VECTOR} (local.get $weights))
                    (local.get $sign))
                  (local.get $values)
                  (local.get $sum{VECTOR + VECTORS * TIME * (VECTORS < 8)})))
              (;end;)
              (;end;)
              (local.set $weights
                (i32.add (local.get $weights) (i32.const {16 * VECTORS * TIMES})))
              (local.set $sign_at (i32.add (local.get $sign_at) (i32.const {4 * TIMES})))
              (local.set $at (i32.add (local.get $at) (i32.const {4 * TIMES})))
              (;for ONLY in 0..TIMES === 2;)
              (br_if $next_inputs (i32.lt_s (local.get $at) (local.get $end)))
              (;end;)
              )))
        (;end;)
        (;for VECTOR in 0..VECTORS;)
        (;for SECOND in VECTOR + VECTORS..VECTOR + VECTORS + (VECTORS < 8);)
        (local.set $sum{VECTOR}
          (i32x4.add (local.get $sum{VECTOR}) (local.get $sum{SECOND})))
        (;end;)
        (v128.store offset={16 * VECTOR} (local.get $results)
          (f32x4.mul
            (f32x4.convert_i32x4_s (local.get $sum{VECTOR}))
            (v128.load offset={16 * VECTOR} (local.get $scales))))
        (;end;)
        (local.set $weights (i32.add (local.get $weights) (i32.const {4 * VECTORS})))
        (local.set $scales (i32.add (local.get $scales) (i32.const {16 * VECTORS})))
        (local.set $results (i32.add (local.get $results) (i32.const {16 * VECTORS})))
        (local.set $outputs (i32.sub (local.get $outputs) (i32.const {4 * VECTORS})))
        (br $next_set)))
    (;end;)
    ))
