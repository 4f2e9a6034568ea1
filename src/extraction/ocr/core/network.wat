;; The parts of Tesseract's network around the multiplications of `dot_products.wat`: activations,
;; and the layers that only move numbers. `deno task wasm` compiles them into network_wasm.ts, and
;; `faster_core.ts` puts calls of them in the places of loops in Tesseract. The results are the same,
;; bit for bit.
;;
;; The syntax for repeated lines is explained in src/search/vectors/kernels.wat.
;;
;; A sheet of numbers (`NetworkIO` in Tesseract) has these fields: at 28 the address of its bytes, at
;; 40 the bytes per position, at 48 whether its numbers are bytes, and at 52 its map. A map has the
;; number of batches, rows and columns at 0, 4 and 8, and the distances between neighbours at 12, 16
;; and 20. A place in a map has the map at 44, its position at 48, and its batch, row and column at
;; 52, 56 and 60, counted from the stack frame of the function that it belongs to.
(module
  ;; In Tesseract, this is its memory. The size here, and the exports, are for tests.
  (memory (export "memory") 4)

  ;; The hyperbolic tangent and the logistic function of 4 numbers at a time, by interpolation in
  ;; Tesseract's tables with 256 values per unit. Only the third function uses the factors: it
  ;; multiplies the hyperbolic tangents by them. The results may replace the numbers.
  (;for FUNCTION in 0..3;)
  (func (export "{FUNCTION === 0 ? 'tanh' : FUNCTION === 1 ? 'logistic' : 'multiply_by_tanh'}")
    (param $numbers i32) (param $count i32) (param $factors i32) (param $results i32)
    (local $number v128) (local $distance v128) (local $position v128) (local $low v128)
    (local $high v128) (local $result v128) (local $offsets i64)
    (loop $next
      (local.set $number (v128.load (local.get $numbers)))
      ;; From the last value in the table on, both functions are 1.
      (local.set $distance
        (f32x4.pmin
          (v128.const f32x4 4095 4095 4095 4095)
          (f32x4.mul (f32x4.abs (local.get $number)) (v128.const f32x4 256 256 256 256))))
      (local.set $position (i32x4.relaxed_trunc_f32x4_s (local.get $distance)))
      (local.set $result (i32x4.shl (local.get $position) (i32.const 2)))
      ;; Neighbours in the table are loaded together, and then parted.
      (;for HALF in 0..2;)
      (local.set $offsets (i64x2.extract_lane {HALF} (local.get $result)))
      (local.set ${HALF === 0 ? 'low' : 'high'}
        (v128.load64_lane offset={135008 + 16384 * (FUNCTION % 2)} 1
          (i32.wrap_i64 (i64.shr_u (local.get $offsets) (i64.const 32)))
          (v128.load64_zero offset={135008 + 16384 * (FUNCTION % 2)}
            (i32.wrap_i64 (local.get $offsets)))))
      (;end;)
      (local.set $result
        (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27
          (local.get $low) (local.get $high)))
      (local.set $result
        (f32x4.add
          (f32x4.mul
            (f32x4.sub
              (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31
                (local.get $low) (local.get $high))
              (local.get $result))
            (f32x4.sub
              (local.get $distance)
              (f32x4.convert_i32x4_s (local.get $position))))
          (local.get $result)))
      (local.set $result
        (i32x4.relaxed_laneselect
          (v128.const f32x4 1 1 1 1)
          (local.get $result)
          (f32x4.ge (local.get $distance) (v128.const f32x4 4095 4095 4095 4095))))
      ;; Below 0, they are -0 or 1 minus that.
      (local.set $result
        (i32x4.relaxed_laneselect
          (f32x4.sub
            (f32x4.splat (f32.const {FUNCTION === 1 ? '1' : '-0'}))
            (local.get $result))
          (local.get $result)
          (f32x4.lt (local.get $number) (v128.const i32x4 0 0 0 0))))
      (;for ONLY in 2..2 + (FUNCTION === 2);)
      (local.set $result (f32x4.mul (local.get $result) (v128.load (local.get $factors))))
      (;end;)
      (if (i32.ge_s (local.get $count) (i32.const 4))
        (then
          (v128.store (local.get $results) (local.get $result)))
        (else
          (;for LANE in 0..3;)
          (if (i32.gt_s (local.get $count) (i32.const {LANE}))
            (then
              (v128.store32_lane offset={4 * LANE} {LANE}
                (local.get $results) (local.get $result))))
          (;end;)
          ))
      (local.set $numbers (i32.add (local.get $numbers) (i32.const 16)))
      (local.set $factors (i32.add (local.get $factors) (i32.const 16)))
      (local.set $results (i32.add (local.get $results) (i32.const 16)))
      (br_if $next
        (i32.gt_s
          (local.tee $count (i32.sub (local.get $count) (i32.const 4)))
          (i32.const 0)))))
  (;end;)

  ;; Multiplies numbers by others, in place.
  (func (export "multiply_by") (param $numbers i32) (param $count i32) (param $factors i32)
    (block $rest
      (loop $next
        (br_if $rest (i32.lt_s (local.get $count) (i32.const 4)))
        (v128.store (local.get $numbers)
          (f32x4.mul (v128.load (local.get $numbers)) (v128.load (local.get $factors))))
        (local.set $numbers (i32.add (local.get $numbers) (i32.const 16)))
        (local.set $factors (i32.add (local.get $factors) (i32.const 16)))
        (local.set $count (i32.sub (local.get $count) (i32.const 4)))
        (br $next)))
    (block $end
      (loop $next
        (br_if $end (i32.le_s (local.get $count) (i32.const 0)))
        (f32.store (local.get $numbers)
          (f32.mul (f32.load (local.get $numbers)) (f32.load (local.get $factors))))
        (local.set $numbers (i32.add (local.get $numbers) (i32.const 4)))
        (local.set $factors (i32.add (local.get $factors) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next))))

  ;; Adds the products of two lists to the numbers of a third one, and limits them to -100 and 100.
  (func (export "add_products") (param $sums i32) (param $count i32) (param $numbers i32)
    (param $factors i32)
    (block $rest
      (loop $next
        (br_if $rest (i32.lt_s (local.get $count) (i32.const 4)))
        (v128.store (local.get $sums)
          (f32x4.pmax
            (f32x4.pmin
              (f32x4.add
                (f32x4.mul (v128.load (local.get $numbers)) (v128.load (local.get $factors)))
                (v128.load (local.get $sums)))
              (v128.const f32x4 100 100 100 100))
            (v128.const f32x4 -100 -100 -100 -100)))
        (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
        (local.set $numbers (i32.add (local.get $numbers) (i32.const 16)))
        (local.set $factors (i32.add (local.get $factors) (i32.const 16)))
        (local.set $count (i32.sub (local.get $count) (i32.const 4)))
        (br $next)))
    (block $end
      (loop $next
        (br_if $end (i32.le_s (local.get $count) (i32.const 0)))
        (f32.store (local.get $sums)
          (f32.max
            (f32.min
              (f32.add
                (f32.mul (f32.load (local.get $numbers)) (f32.load (local.get $factors)))
                (f32.load (local.get $sums)))
              (f32.const 100))
            (f32.const -100)))
        (local.set $sums (i32.add (local.get $sums) (i32.const 4)))
        (local.set $numbers (i32.add (local.get $numbers) (i32.const 4)))
        (local.set $factors (i32.add (local.get $factors) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next))))

  ;; Rounds numbers from -1 to 1 to bytes from -127 to 127, 16 at a time.
  (func (export "quantize") (param $numbers i32) (param $count i32) (param $results i32)
    (local $number f32) (local $byte i32)
    (;for PART in 0..4;)
    (local $part{PART} v128)
    (;end;)
    (block $rest
      (br_if $rest (i32.lt_s (local.get $count) (i32.const 16)))
      (loop $next
        (;for PART in 0..4;)
        (local.set $part{PART}
          (f32x4.pmax
            (v128.const f32x4 -127 -127 -127 -127)
            (f32x4.pmin
              (v128.const f32x4 127 127 127 127)
              (f32x4.mul
                (v128.load offset={16 * PART} (local.get $numbers))
                (v128.const f32x4 127 127 127 127)))))
        ;; Half of 1, with the sign of the number, rounds it when the fraction is cut off.
        (local.set $part{PART}
          (i32x4.relaxed_trunc_f32x4_s
            (f32x4.add
              (local.get $part{PART})
              (v128.or
                (v128.and (local.get $part{PART}) (v128.const f32x4 -0 -0 -0 -0))
                (v128.const f32x4 0.5 0.5 0.5 0.5)))))
        (;end;)
        (v128.store (local.get $results)
          (i8x16.narrow_i16x8_s
            (i16x8.narrow_i32x4_s (local.get $part0) (local.get $part1))
            (i16x8.narrow_i32x4_s (local.get $part2) (local.get $part3))))
        (local.set $numbers (i32.add (local.get $numbers) (i32.const 64)))
        (local.set $results (i32.add (local.get $results) (i32.const 16)))
        (br_if $next
          (i32.ge_s
            (local.tee $count (i32.sub (local.get $count) (i32.const 16)))
            (i32.const 16)))))
    (block $end
      (br_if $end (i32.le_s (local.get $count) (i32.const 0)))
      (loop $next
        (local.set $number (f32.mul (f32.load (local.get $numbers)) (f32.const 127)))
        (local.set $byte
          (i32.trunc_sat_f32_s (f32.add (f32.abs (local.get $number)) (f32.const 0.5))))
        (if (i32.gt_s (local.get $byte) (i32.const 127))
          (then (local.set $byte (i32.const 127))))
        (if (f32.lt (local.get $number) (f32.const 0))
          (then (local.set $byte (i32.sub (i32.const 0) (local.get $byte)))))
        (i32.store8 (local.get $results) (local.get $byte))
        (local.set $numbers (i32.add (local.get $numbers) (i32.const 4)))
        (local.set $results (i32.add (local.get $results) (i32.const 1)))
        (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))

  ;; Copies the 3 x 3 pixels around each pixel of a row, up to the last pixel but one. Does nothing
  ;; if the place is at an edge: Tesseract fills in random numbers there. The row ends at an edge,
  ;; so Tesseract continues with that.
  (func (export "copy_neighbors") (param $layer i32) (param $pixels i32) (param $copies i32)
    (param $frame i32)
    (local $map i32) (local $column i32) (local $last i32) (local $position i32)
    (local $above i32) (local $at i32) (local $below i32) (local $copy i32)
    (local $left i64) (local $middle i64) (local $right i64)
    (local.set $map (i32.load offset=44 (local.get $frame)))
    (local.set $column (i32.load offset=60 (local.get $frame)))
    (local.set $last (i32.sub (i32.load offset=8 (local.get $map)) (i32.const 2)))
    ;; One number per pixel, and one pixel on each side.
    (if
      (i32.or
        (i32.or
          (i32.ne (i32.load offset=20 (local.get $layer)) (i32.const 1))
          (i32.or
            (i32.ne (i32.load offset=56 (local.get $layer)) (i32.const 1))
            (i32.ne (i32.load offset=60 (local.get $layer)) (i32.const 1))))
        (i32.or
          (i32.eqz (i32.load8_u offset=48 (local.get $pixels)))
          (i32.or
            (i32.ne (i32.load (local.get $map)) (i32.const 1))
            (i32.ne (i32.load offset=20 (local.get $map)) (i32.const 1)))))
      (then (return)))
    (if
      (i32.or
        (i32.or
          (i32.lt_s (i32.load offset=56 (local.get $frame)) (i32.const 1))
          (i32.gt_s
            (i32.load offset=56 (local.get $frame))
            (i32.sub (i32.load offset=4 (local.get $map)) (i32.const 2))))
        (i32.or
          (i32.lt_s (local.get $column) (i32.const 1))
          (i32.gt_s (local.get $column) (local.get $last))))
      (then (return)))
    (local.set $position (i32.load offset=48 (local.get $frame)))
    (local.set $copy
      (i32.add
        (i32.load offset=28 (local.get $copies))
        (i32.mul (local.get $position) (i32.const 9))))
    (local.set $at (i32.add (i32.load offset=28 (local.get $pixels)) (local.get $position)))
    (local.set $above (i32.sub (local.get $at) (i32.load offset=16 (local.get $map))))
    (local.set $below (i32.add (local.get $at) (i32.load offset=16 (local.get $map))))
    (;for SIDE in -1 0;)
    (local.set ${SIDE < 0 ? 'left' : 'middle'}
      (i64.or
        (i64.load8_u (i32.add (local.get $above) (i32.const {SIDE})))
        (i64.or
          (i64.shl
            (i64.load8_u (i32.add (local.get $at) (i32.const {SIDE}))) (i64.const 8))
          (i64.shl
            (i64.load8_u (i32.add (local.get $below) (i32.const {SIDE}))) (i64.const 16)))))
    (;end;)
    (loop $next
      (local.set $right
        (i64.or
          (i64.load8_u offset=1 (local.get $above))
          (i64.or
            (i64.shl (i64.load8_u offset=1 (local.get $at)) (i64.const 8))
            (i64.shl (i64.load8_u offset=1 (local.get $below)) (i64.const 16)))))
      (i64.store align=1 (local.get $copy)
        (i64.or
          (local.get $left)
          (i64.or
            (i64.shl (local.get $middle) (i64.const 24))
            (i64.shl (local.get $right) (i64.const 48)))))
      (i64.store8 offset=8 (local.get $copy) (i64.shr_u (local.get $right) (i64.const 16)))
      (local.set $left (local.get $middle))
      (local.set $middle (local.get $right))
      (local.set $copy (i32.add (local.get $copy) (i32.const 9)))
      (;for ROW in 0..3;)
      (local.set ${['above', 'at', 'below'][ROW]}
        (i32.add (local.get ${['above', 'at', 'below'][ROW]}) (i32.const 1)))
      (;end;)
      (local.set $position (i32.add (local.get $position) (i32.const 1)))
      (br_if $next
        (i32.le_s
          (local.tee $column (i32.add (local.get $column) (i32.const 1)))
          (local.get $last))))
    (i32.store offset=48 (local.get $frame) (local.get $position))
    (i32.store offset=60 (local.get $frame) (local.get $column)))

  ;; Writes the maximum of each field of positions in a row, 16 numbers of it at a time, up to the
  ;; last field but one. Tesseract continues with the last one. It also notes where each maximum was,
  ;; which only training needs.
  (func (export "max_pool") (param $layer i32) (param $inputs i32) (param $outputs i32)
    (param $frame i32)
    (local $map i32) (local $from i32) (local $position i32) (local $column i32) (local $last i32)
    (local $numbers i32) (local $width i32) (local $height i32) (local $input i32)
    (local $output i32) (local $number i32) (local $x i32) (local $y i32) (local $at i32)
    (local $max v128)
    (local.set $map (i32.load offset=44 (local.get $frame)))
    (local.set $from (i32.add (local.get $inputs) (i32.const 52)))
    (local.set $numbers (i32.load offset=40 (local.get $inputs)))
    (local.set $width (i32.load offset=104 (local.get $layer)))
    (local.set $height (i32.load offset=108 (local.get $layer)))
    (local.set $column (i32.load offset=60 (local.get $frame)))
    (local.set $last (i32.sub (i32.load offset=8 (local.get $map)) (i32.const 2)))
    (if
      (i32.or
        (i32.or
          (i32.eqz (i32.load8_u offset=48 (local.get $inputs)))
          (i32.or
            (i32.ne (i32.load (local.get $map)) (i32.const 1))
            (i32.ne (i32.and (local.get $numbers) (i32.const 15)) (i32.const 0))))
        (i32.gt_s (local.get $column) (local.get $last)))
      (then (return)))
    ;; The last row may not have all of its fields.
    (if
      (i32.gt_s
        (i32.mul
          (i32.add (i32.load offset=56 (local.get $frame)) (i32.const 1)) (local.get $height))
        (i32.load offset=4 (local.get $from)))
      (then (return)))
    (local.set $position (i32.load offset=48 (local.get $frame)))
    (local.set $output
      (i32.add
        (i32.load offset=28 (local.get $outputs))
        (i32.mul (local.get $position) (local.get $numbers))))
    (local.set $input
      (i32.add
        (i32.load offset=28 (local.get $inputs))
        (i32.mul
          (local.get $numbers)
          (i32.add
            (i32.mul
              (i32.mul (i32.load offset=56 (local.get $frame)) (local.get $height))
              (i32.load offset=16 (local.get $from)))
            (i32.mul
              (i32.mul (local.get $column) (local.get $width))
              (i32.load offset=20 (local.get $from)))))))
    (loop $next_field
      (local.set $number (i32.const 0))
      (loop $next_numbers
        (local.set $max
          (v128.load (i32.add (local.get $input) (local.get $number))))
        (local.set $y (i32.const 0))
        (loop $next_y
          (local.set $at
            (i32.add
              (i32.add (local.get $input) (local.get $number))
              (i32.mul
                (i32.mul (local.get $y) (i32.load offset=16 (local.get $from)))
                (local.get $numbers))))
          (local.set $x (i32.const 0))
          (loop $next_x
            (local.set $max (i8x16.max_s (local.get $max) (v128.load (local.get $at))))
            (local.set $at
              (i32.add
                (local.get $at)
                (i32.mul (i32.load offset=20 (local.get $from)) (local.get $numbers))))
            (br_if $next_x
              (i32.lt_s
                (local.tee $x (i32.add (local.get $x) (i32.const 1)))
                (local.get $width))))
          (br_if $next_y
            (i32.lt_s
              (local.tee $y (i32.add (local.get $y) (i32.const 1)))
              (local.get $height))))
        (v128.store (i32.add (local.get $output) (local.get $number)) (local.get $max))
        (br_if $next_numbers
          (i32.lt_s
            (local.tee $number (i32.add (local.get $number) (i32.const 16)))
            (local.get $numbers))))
      (local.set $output (i32.add (local.get $output) (local.get $numbers)))
      (local.set $input
        (i32.add
          (local.get $input)
          (i32.mul
            (i32.mul (local.get $width) (i32.load offset=20 (local.get $from)))
            (local.get $numbers))))
      (local.set $position (i32.add (local.get $position) (i32.load offset=20 (local.get $map))))
      (br_if $next_field
        (i32.le_s
          (local.tee $column (i32.add (local.get $column) (i32.const 1)))
          (local.get $last))))
    (i32.store offset=48 (local.get $frame) (local.get $position))
    (i32.store offset=60 (local.get $frame) (local.get $column))))
