-- By which inferred adds a memory was told, those included that only said it again, and by what
-- date: a fact that is read late is held against that.
create table memory_tellings (
  project integer not null,
  memory_id text not null,
  operation_id text not null,
  -- The `event_date` of the request; null when it had none.
  event_date text,
  primary key (project, memory_id, operation_id)
) strict, without rowid;
create index memory_tellings_of_operation on memory_tellings (project, operation_id);
-- Until now the date of a request was kept only where its fact had none of its own.
insert into memory_tellings (project, memory_id, operation_id, event_date)
  select s.project, s.memory_id, s.operation_id, case when m.valid_from is null then m.event_date end
  from memory_sources s join memories m on m.project = s.project and m.id = s.memory_id;
