;; WebAssembly kernels that compare a query with many rows of a memory. `deno task wasm` compiles
;; them into kernels_wasm.ts.
;;
;; Two additions to the format are expanded first: `(;for NAME in VALUES;)` … `(;end;)` repeats the
;; lines between for each value, and `{expression}` is replaced by its value.
(module
  (memory (import "e" "m") 1)

  ;; scan: writes the rows whose Hamming distance to the query is below a limit, each as its index
  ;; and its distance. Unrolled, it keeps the query in registers. That is 1.3 to 2.2 times as fast
  ;; as the loop of `scan_any`. It counts bits in 64-bit words: processors have an instruction for
  ;; that, but not for the lanes of a vector.
  ;;
  ;; Returns the end address of the results. There is at least one row.
  ;;
  ;; These widths are the usual numbers of dimensions, 128 to 4,096, and half of them.
  (;for WORDS in 1 2 3 4 5 6 8 10 12 16 24 32 48 64;)

  ;; Rows of {WORDS} words that are adjacent.
  (func (export "scan_{WORDS}")
    (param $query i32) (param $rows i32) (param $out i32) (param $count i32) (param $limit i32)
    (result i32)
    (local $index i32) (local $distance i32)
    (;for WORD in 0..WORDS;)
    (local $query{WORD} i64)
    (;end;)
    (;for WORD in 0..WORDS;)
    (local.set $query{WORD} (i64.load offset={8 * WORD} (local.get $query)))
    (;end;)
    (loop $next_row
      ;; distance = popcount(query xor row)
      (;for WORD in 0..WORDS;)
      (i64.popcnt (i64.xor (i64.load offset={8 * WORD} (local.get $rows)) (local.get $query{WORD})))
      {WORD > 0 ? "i64.add" : ""}
      (;end;)
      (local.set $distance (i32.wrap_i64))
      (if (i32.lt_u (local.get $distance) (local.get $limit))
        (then
          (i32.store (local.get $out) (local.get $index))
          (i32.store offset=4 (local.get $out) (local.get $distance))
          (local.set $out (i32.add (local.get $out) (i32.const 8)))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (local.set $rows (i32.add (local.get $rows) (i32.const {8 * WORDS})))
      (br_if $next_row (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (local.get $out))

  ;; Rows of {WORDS} words whose addresses are listed, 32 bits each.
  (func (export "scan_listed_{WORDS}")
    (param $query i32) (param $list i32) (param $out i32) (param $count i32) (param $limit i32)
    (result i32)
    (local $row i32) (local $index i32) (local $distance i32)
    (;for WORD in 0..WORDS;)
    (local $query{WORD} i64)
    (;end;)
    (;for WORD in 0..WORDS;)
    (local.set $query{WORD} (i64.load offset={8 * WORD} (local.get $query)))
    (;end;)
    (loop $next_row
      (local.set $row (i32.load (local.get $list)))
      (;for WORD in 0..WORDS;)
      (i64.popcnt (i64.xor (i64.load offset={8 * WORD} (local.get $row)) (local.get $query{WORD})))
      {WORD > 0 ? "i64.add" : ""}
      (;end;)
      (local.set $distance (i32.wrap_i64))
      (if (i32.lt_u (local.get $distance) (local.get $limit))
        (then
          (i32.store (local.get $out) (local.get $index))
          (i32.store offset=4 (local.get $out) (local.get $distance))
          (local.set $out (i32.add (local.get $out) (i32.const 8)))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (local.set $list (i32.add (local.get $list) (i32.const 4)))
      (br_if $next_row (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (local.get $out))
  (;end;)

  ;; scan_any: the same for rows of any width in bytes, a multiple of 8, adjacent or listed.
  (func (export "scan_any")
    (param $query i32) (param $rows i32) (param $out i32) (param $count i32) (param $limit i32)
    (param $width i32) (param $listed i32)
    (result i32)
    (local $row i32) (local $index i32) (local $distance i32) (local $bits i64)
    (local $step i32) (local $at i32) (local $blocks_end i32) (local $end i32)
    (local.set $step (select (i32.const 4) (local.get $width) (local.get $listed)))
    (local.set $end (i32.add (local.get $query) (local.get $width)))
    ;; The end of the blocks of four words.
    (local.set $blocks_end
      (i32.add (local.get $query) (i32.and (local.get $width) (i32.const -32))))
    (loop $next_row
      (local.set $row (local.get $rows))
      (if (local.get $listed) (then (local.set $row (i32.load (local.get $rows)))))
      (local.set $at (local.get $query))
      (local.set $bits (i64.const 0))
      (if (i32.lt_u (local.get $at) (local.get $blocks_end))
        (then
          (loop $next_block
            (local.get $bits)
            (;for WORD in 0..4;)
            (i64.popcnt (i64.xor
              (i64.load offset={8 * WORD} (local.get $row))
              (i64.load offset={8 * WORD} (local.get $at))))
            i64.add
            (;end;)
            (local.set $bits)
            (local.set $row (i32.add (local.get $row) (i32.const 32)))
            (local.set $at (i32.add (local.get $at) (i32.const 32)))
            (br_if $next_block (i32.lt_u (local.get $at) (local.get $blocks_end))))))
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (loop $next_word
            (local.set $bits (i64.add (local.get $bits)
              (i64.popcnt (i64.xor (i64.load (local.get $row)) (i64.load (local.get $at))))))
            (local.set $row (i32.add (local.get $row) (i32.const 8)))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br_if $next_word (i32.lt_u (local.get $at) (local.get $end))))))
      (local.set $distance (i32.wrap_i64 (local.get $bits)))
      (if (i32.lt_u (local.get $distance) (local.get $limit))
        (then
          (i32.store (local.get $out) (local.get $index))
          (i32.store offset=4 (local.get $out) (local.get $distance))
          (local.set $out (i32.add (local.get $out) (i32.const 8)))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (local.set $rows (i32.add (local.get $rows) (local.get $step)))
      (br_if $next_row (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (local.get $out))

  ;; multiply: writes the 32-bit product of the query (int16) with each listed int8 row.
  ;; The width is the number of components, a multiple of 8. Returns the end of the results.
  (func (export "multiply")
    (param $query i32) (param $list i32) (param $out i32) (param $count i32) (param $width i32)
    (result i32)
    (local $at i32) (local $sum v128)
    (local $row i32) (local $cursor i32) (local $remaining i32) (local $fetched i32)

    ;; Reads one integer from every cache line (64 bytes) of the rows, so that many lines are
    ;; fetched at once. Without it, the multiplication waits for one row after the other and takes
    ;; twice as long.
    (local.set $cursor (local.get $list))
    (local.set $remaining (local.get $count))
    (loop $fetch_row
      (local.set $row (i32.load (local.get $cursor)))
      (local.set $at (i32.const 0))
      (loop $fetch_line
        (local.set $fetched
          (i32.add (local.get $fetched) (i32.load (i32.add (local.get $row) (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br_if $fetch_line (i32.lt_u (local.get $at) (local.get $width))))
      (local.set $cursor (i32.add (local.get $cursor) (i32.const 4)))
      (br_if $fetch_row (local.tee $remaining (i32.sub (local.get $remaining) (i32.const 1)))))
    ;; Stores the sum only to use the values. The first product overwrites it.
    (i32.store (local.get $out) (local.get $fetched))

    (loop $next_row
      (local.set $sum (v128.const i64x2 0 0))
      (local.set $at (i32.const 0))
      (local.set $row (i32.load (local.get $list)))
      ;; sum += query * row, eight components at a time, in four integers
      (loop $next_components
        (local.set $sum (i32x4.add
          (i32x4.dot_i16x8_s
            (v128.load align=1
              (i32.add (local.get $query) (i32.shl (local.get $at) (i32.const 1))))
            (v128.load8x8_s align=1 (local.get $row)))
          (local.get $sum)))
        (local.set $row (i32.add (local.get $row) (i32.const 8)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $next_components (i32.lt_u (local.get $at) (local.get $width))))
      (i32.store (local.get $out)
        (i32.add
          (i32.add
            (i32.add
              (i32x4.extract_lane 0 (local.get $sum))
              (i32x4.extract_lane 1 (local.get $sum)))
            (i32x4.extract_lane 2 (local.get $sum)))
          (i32x4.extract_lane 3 (local.get $sum))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $list (i32.add (local.get $list) (i32.const 4)))
      (br_if $next_row (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (local.get $out)))
