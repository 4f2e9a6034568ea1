-- Each search reads the neighbors of memories in their threads, a few thousand entries. It now only
-- reads this index.

-- Whether the memory ends with a question.
alter table memories add column asks integer
  generated always as (substr(trim(memory, char(9, 10, 13, 32)), -1) in ('?', '？')) virtual;

drop index memories_in_thread;
create index memories_in_thread on memories (project, thread, position, event_date, asks, terms)
  where thread is not null;
