-- Files that accounts have uploaded, without their contents.
create table if not exists upload (
  id bigint primary key, -- from the clock of the message ids, so no other database issues it
  owner_id bigint not null references account (id) on delete cascade,
  slot varbinary(64) not null unique,
  name varbinary(255) not null,
  type varbinary(255) not null,
  size bigint not null, -- in bytes
  hash varbinary(64) not null, -- SHA-256 of the content, in hexadecimal
  created bigint not null, -- microseconds since 1970
  expires bigint not null -- microseconds since 1970; 0 is never
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists upload_owner on upload (owner_id, created);

create index if not exists upload_hash on upload (hash);

create index if not exists upload_created on upload (created);
