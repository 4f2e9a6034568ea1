-- Documents are listed in the order in which versions became heads. The row number of a large one
-- was assigned when its writing began.
drop index document_heads_newest;
drop index document_heads_of_user;
drop index document_heads_of_agent;
drop index document_heads_of_run;
create index document_heads_newest on document_versions (project, created_at, id)
  where is_head = 1;
create index document_heads_of_user on document_versions (project, user_id, created_at, id)
  where is_head = 1 and user_id is not null;
create index document_heads_of_agent on document_versions (project, agent_id, created_at, id)
  where is_head = 1 and agent_id is not null;
create index document_heads_of_run on document_versions (project, run_id, created_at, id)
  where is_head = 1 and run_id is not null;
