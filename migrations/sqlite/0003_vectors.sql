-- Vectors of memories: a projection that follows the journal, one set for each embedding model.

create table embedding_models (
  number integer primary key autoincrement,
  id text not null unique,
  dims integer not null,
  -- Up to this place in the journal every memory has its vector.
  position integer not null default 0,
  -- Whether searches use it: from the moment when it has caught up for the first time until another
  -- model has.
  serving integer not null default 0 check (serving in (0, 1))
) strict;

-- int8 vectors, for the exact order of what was found.
create table memory_vectors (
  project integer not null,
  model integer not null,
  seq integer not null,
  vector blob not null,
  primary key (project, model, seq)
) strict, without rowid;

-- Their sign bits, for finding; small and in the order of embedding, so that a search worker reads
-- them all in a moment and later only what is new.
create table memory_signs (
  number integer primary key autoincrement,
  project integer not null,
  model integer not null,
  seq integer not null,
  signs blob not null
) strict;
create unique index memory_signs_by_seq on memory_signs (project, model, seq);

-- A vector never outlives the text that it was made from, whoever changes or removes the text.
create trigger memory_vectors_of_removed after delete on memories begin
  delete from memory_vectors where project = old.project and seq = old.seq
    and model in (select number from embedding_models);
  delete from memory_signs where project = old.project and seq = old.seq
    and model in (select number from embedding_models);
end;
create trigger memory_vectors_of_rewritten after update of memory on memories
when old.memory is not new.memory begin
  delete from memory_vectors where project = old.project and seq = old.seq
    and model in (select number from embedding_models);
  delete from memory_signs where project = old.project and seq = old.seq
    and model in (select number from embedding_models);
end;
