-- Vectors of memories and chunks: a projection that follows the journal, one set for each embedding
-- model. Kinds of records: 0 is a memory, 1 is a chunk of a document's head.

create table embedding_models (
  number integer primary key autoincrement,
  id text not null unique,
  dims integer not null,
  -- Up to this place in the journal every record has its vector.
  position integer not null default 0,
  -- Whether searches use it: from the moment when it has caught up for the first time until another
  -- model has.
  serving integer not null default 0 check (serving in (0, 1))
) strict;

-- int8 vectors, for the exact order of the results.
create table vectors (
  project integer not null,
  model integer not null,
  kind integer not null check (kind in (0, 1)),
  seq integer not null,
  vector blob not null,
  primary key (project, model, kind, seq)
) strict, without rowid;

-- Sign bits of the vectors, for finding candidates. They are small and in the order of embedding,
-- so a search worker reads all of them quickly, and only new ones later.
create table vector_signs (
  number integer primary key autoincrement,
  project integer not null,
  model integer not null,
  kind integer not null,
  seq integer not null,
  signs blob not null
) strict;
create unique index vector_signs_by_seq on vector_signs (project, model, kind, seq);

-- Deleting a vector deletes its sign bits too.
create trigger vector_signs_of_removed after delete on vectors begin
  delete from vector_signs where project = old.project and model = old.model
    and kind = old.kind and seq = old.seq;
end;

-- Any change or deletion of a text deletes the vector that was made from it.
create trigger vectors_of_removed_memory after delete on memories begin
  delete from vectors where project = old.project and kind = 0 and seq = old.seq
    and model in (select number from embedding_models);
end;
create trigger vectors_of_rewritten_memory after update of memory on memories
when old.memory is not new.memory begin
  delete from vectors where project = old.project and kind = 0 and seq = old.seq
    and model in (select number from embedding_models);
end;
create trigger vectors_of_removed_chunk after delete on chunks begin
  delete from vectors where project = old.project and kind = 1 and seq = old.seq
    and model in (select number from embedding_models);
end;
create trigger vectors_of_former_head after update of is_head on document_versions
when old.is_head = 1 and new.is_head = 0 begin
  delete from vectors where project = old.project and kind = 1
    and model in (select number from embedding_models)
    and seq in (select seq from chunks where version = old.seq);
end;
