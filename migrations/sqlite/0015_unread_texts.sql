-- Texts that inference couldn't read. They're set aside, so that the ones behind them are read.
-- The texts themselves are never stored here.
create table unread_texts (
  project integer not null,
  -- Memory, or event of an inferred add.
  record_id text not null,
  -- Position of the message in the add, from 0. Always 0 for a memory.
  position integer not null,
  -- Engine and version that failed.
  reader text not null,
  code text not null,
  created_at text not null,
  updated_at text not null,
  primary key (project, record_id, position)
) strict, without rowid;
-- Engine and version that read a project's verbatim texts. Null if that wasn't recorded yet.
alter table derived_progress add column reader text;
