-- Inferred adds that reported a memory, repetitions included, with their dates. Facts that are read
-- late are compared with them.
create table memory_tellings (
  project integer not null,
  memory_id text not null,
  operation_id text not null,
  -- The `event_date` of the request; null when it had none.
  event_date text,
  primary key (project, memory_id, operation_id)
) strict, without rowid;
create index memory_tellings_of_operation on memory_tellings (project, operation_id);
-- Until now the date of a request was only stored if its fact had no date.
insert into memory_tellings (project, memory_id, operation_id, event_date)
  select s.project, s.memory_id, s.operation_id, case when m.valid_from is null then m.event_date end
  from memory_sources s join memories m on m.project = s.project and m.id = s.memory_id;
