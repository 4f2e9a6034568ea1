;; The multiplication of a matrix by a vector, which takes most of the time of a recognized page.
;; `deno task wasm` compiles it into dot_products_wasm.ts, and `faster_core.ts` puts it in the place
;; of the function that Tesseract comes with. The results are the same, bit for bit.
;;
;; The syntax for repeated lines is explained in src/search/vectors/kernels.wat.
(module
  ;; In Tesseract, the first memory and the first global are the memory and the stack pointer. The
  ;; values here, and the exports, are for tests.
  (memory (export "memory") 4)
  (global $stack (mut i32) (i32.const 65536))

  ;; Writes `scale × (weights · input)` for each row of weights. All numbers are from -127 to 127.
  ;; A row ends with the weight of a constant input of 127, in front of which there is a weight of 0
  ;; if the number of inputs is odd.
  ;;
  ;; The instruction below multiplies signed numbers by numbers from 0 to 127. So the signs of the
  ;; inputs are moved to the weights.
  (func (export "multiply") (param $outputs i32) (param $columns i32) (param $weights i32) (param $scales i32)
    (param $input i32) (param $results i32)
    (local $row i32) (local $last i32) (local $magnitudes i32) (local $signs i32) (local $at i32)
    (local $values v128) (local $sign v128)
    (;for OUTPUT in 0..4;)
    (local $weights{OUTPUT} i32) (local $sum{OUTPUT} v128)
    (;end;)

    ;; The bytes in a row, and the position of its last 16 bytes.
    (local.set $row
      (i32.sub
        (i32.add (local.get $columns) (i32.const 1))
        (i32.and (local.get $columns) (i32.const 1))))
    (local.set $last (i32.sub (local.get $row) (i32.const 16)))
    ;; Nothing else runs in the meantime, so the memory below the stack pointer is free.
    (local.set $signs
      (i32.and
        (i32.sub (i32.sub (global.get $stack) (local.get $row)) (i32.const 16))
        (i32.const -16)))
    (local.set $magnitudes
      (i32.and
        (i32.sub (i32.sub (local.get $signs) (local.get $row)) (i32.const 16))
        (i32.const -16)))

    ;; Split the inputs into magnitudes and signs.
    (block $split
      (loop $next
        (br_if $split (i32.ge_s (local.get $at) (local.get $last)))
        (local.set $values (v128.load (i32.add (local.get $input) (local.get $at))))
        (v128.store
          (i32.add (local.get $signs) (local.get $at))
          (i8x16.shr_s (local.get $values) (i32.const 7)))
        (v128.store
          (i32.add (local.get $magnitudes) (local.get $at))
          (i8x16.abs (local.get $values)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    ;; The last 16 bytes of a row may overlap the ones before. Those that do count as 0 here, and so
    ;; does what is in front of a row of fewer than 16 bytes.
    (local.set $values
      (i8x16.replace_lane 15
        (v128.and
          (v128.load (i32.add (local.get $input) (local.get $last)))
          (i8x16.ge_s
            (v128.const i8x16 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
            (i8x16.splat (i32.sub (local.get $at) (local.get $last)))))
        (i32.const 127)))
    (v128.store
      (i32.add (local.get $signs) (local.get $at))
      (i8x16.shr_s (local.get $values) (i32.const 7)))
    (v128.store (i32.add (local.get $magnitudes) (local.get $at)) (i8x16.abs (local.get $values)))

    (block $rest
      (br_if $rest (i32.lt_s (local.get $outputs) (i32.const 4)))
      (loop $next_outputs
        (local.set $weights0 (local.get $weights))
        (;for OUTPUT in 1..4;)
        (local.set $weights{OUTPUT} (i32.add (local.get $weights{OUTPUT - 1}) (local.get $row)))
        (;end;)
        (;for OUTPUT in 0..4;)
        (local.set $sum{OUTPUT} (v128.const i32x4 0 0 0 0))
        (;end;)
        (local.set $at (i32.const 0))
        (block $columns_end
          (loop $next_columns
            (br_if $columns_end (i32.ge_s (local.get $at) (local.get $last)))
            (local.set $values (v128.load (i32.add (local.get $magnitudes) (local.get $at))))
            (local.set $sign (v128.load (i32.add (local.get $signs) (local.get $at))))
            (;for OUTPUT in 0..4;)
            (local.set $sum{OUTPUT}
              (i32x4.relaxed_dot_i8x16_i7x16_add_s
                (i8x16.sub
                  (v128.xor
                    (v128.load (i32.add (local.get $weights{OUTPUT}) (local.get $at)))
                    (local.get $sign))
                  (local.get $sign))
                (local.get $values)
                (local.get $sum{OUTPUT})))
            (;end;)
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br $next_columns)))
        (local.set $values (v128.load (i32.add (local.get $magnitudes) (local.get $at))))
        (local.set $sign (v128.load (i32.add (local.get $signs) (local.get $at))))
        (;for OUTPUT in 0..4;)
        (local.set $sum{OUTPUT}
          (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (i8x16.sub
              (v128.xor
                (v128.load (i32.add (local.get $weights{OUTPUT}) (local.get $last)))
                (local.get $sign))
              (local.get $sign))
            (local.get $values)
            (local.get $sum{OUTPUT})))
        (;end;)
        ;; Add up the four sums, and put them in the lanes of one vector.
        (;for OUTPUT in 0 2;)
        (local.set $sum{OUTPUT}
          (i32x4.add
            (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
              (local.get $sum{OUTPUT}) (local.get $sum{OUTPUT + 1}))
            (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
              (local.get $sum{OUTPUT}) (local.get $sum{OUTPUT + 1}))))
        (;end;)
        (v128.store (local.get $results)
          (f32x4.mul
            (f32x4.convert_i32x4_s
              (i32x4.add
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                  (local.get $sum0) (local.get $sum2))
                (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                  (local.get $sum0) (local.get $sum2))))
            (v128.load (local.get $scales))))
        (local.set $weights (i32.add (local.get $weights3) (local.get $row)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
        (local.set $results (i32.add (local.get $results) (i32.const 16)))
        (br_if $next_outputs
          (i32.ge_s
            (local.tee $outputs (i32.sub (local.get $outputs) (i32.const 4)))
            (i32.const 4)))))

    (block $end
      (br_if $end (i32.eqz (local.get $outputs)))
      (loop $next_output
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $at (i32.const 0))
        (block $columns_end
          (loop $next_columns
            (br_if $columns_end (i32.ge_s (local.get $at) (local.get $last)))
            (local.set $sign (v128.load (i32.add (local.get $signs) (local.get $at))))
            (local.set $sum0
              (i32x4.relaxed_dot_i8x16_i7x16_add_s
                (i8x16.sub
                  (v128.xor
                    (v128.load (i32.add (local.get $weights) (local.get $at)))
                    (local.get $sign))
                  (local.get $sign))
                (v128.load (i32.add (local.get $magnitudes) (local.get $at)))
                (local.get $sum0)))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br $next_columns)))
        (local.set $sign (v128.load (i32.add (local.get $signs) (local.get $at))))
        (local.set $sum0
          (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (i8x16.sub
              (v128.xor
                (v128.load (i32.add (local.get $weights) (local.get $last)))
                (local.get $sign))
              (local.get $sign))
            (v128.load (i32.add (local.get $magnitudes) (local.get $at)))
            (local.get $sum0)))
        (local.set $sum0
          (i32x4.add
            (local.get $sum0)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7
              (local.get $sum0) (local.get $sum0))))
        (f32.store (local.get $results)
          (f32.mul
            (f32.convert_i32_s
              (i32.add
                (i32x4.extract_lane 0 (local.get $sum0))
                (i32x4.extract_lane 1 (local.get $sum0))))
            (f32.load (local.get $scales))))
        (local.set $weights (i32.add (local.get $weights) (local.get $row)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $results (i32.add (local.get $results) (i32.const 4)))
        (br_if $next_output
          (local.tee $outputs (i32.sub (local.get $outputs) (i32.const 1))))))))
