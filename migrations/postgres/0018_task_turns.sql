-- Tasks are claimed by project in turn. Programs of version 17 still use `tasks_waiting`.
create index tasks_waiting_of_project on tasks (kind, project, seq)
  where status in ('pending', 'retry');
