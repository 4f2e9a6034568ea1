-- Tasks are claimed by project in turn.
create index tasks_waiting_of_project on tasks (kind, project, seq)
  where status in ('pending', 'retry');

drop index tasks_waiting;
