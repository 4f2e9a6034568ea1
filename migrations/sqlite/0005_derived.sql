-- Journal position of the derived views of each project. Without a row they are not built.
create table derived_progress (
  project integer primary key,
  position integer not null
) strict;
