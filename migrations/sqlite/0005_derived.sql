-- How far the derived views of each project have followed its journal; no row: not built.
create table derived_progress (
  project integer primary key,
  position integer not null
) strict;
