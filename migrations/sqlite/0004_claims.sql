-- Claims of memories and the origin of inferred ones: input of reconciliation and derived views.

create table memory_claims (
  project integer not null,
  memory_id text not null,
  position integer not null,
  subject text not null,
  -- The subject in the form in which subjects are compared.
  subject_key text not null,
  attribute text not null,
  value text not null,
  op text not null check (op in ('assert', 'end')),
  -- Found by inference, or read afterwards out of the memory's text.
  origin text not null check (origin in ('inference', 'text')),
  primary key (project, memory_id, position)
) strict, without rowid;
create index memory_claims_of_slot on memory_claims (project, subject_key, attribute);

-- Messages of inferred adds from which a memory was made: their positions, never their text.
create table memory_sources (
  project integer not null,
  memory_id text not null,
  operation_id text not null,
  -- JSON list of the places of messages in the request, from 0.
  messages text not null,
  primary key (project, memory_id, operation_id)
) strict, without rowid;
