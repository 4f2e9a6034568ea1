-- What clients have deleted since an import of their project was accepted: the rest of it, which is
-- still to come, must not bring that back. A row is there as long as the import is.
create table import_deletions (
  project integer not null,
  kind text not null check (kind in ('source', 'scope', 'feedback')),
  name text not null,
  primary key (project, kind, name)
) strict, without rowid;
