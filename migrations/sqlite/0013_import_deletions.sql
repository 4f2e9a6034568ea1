-- Deletions by clients since an import of their project was accepted. The rest of the import must
-- not restore what they deleted. A row exists as long as the import does.
create table import_deletions (
  project integer not null,
  kind text not null check (kind in ('source', 'scope', 'feedback')),
  name text not null,
  primary key (project, kind, name)
) strict, without rowid;
