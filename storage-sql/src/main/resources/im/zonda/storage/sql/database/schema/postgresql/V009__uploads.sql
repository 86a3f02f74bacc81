-- Files that accounts have uploaded, without their contents.
create table upload (
  id bigint primary key, -- from the clock of the message ids, so no other database issues it
  owner_id bigint not null references account (id) on delete cascade,
  slot text collate "C" not null unique,
  name text collate "C" not null,
  type text collate "C" not null,
  size bigint not null, -- in bytes
  hash text collate "C" not null, -- SHA-256 of the content, in hexadecimal
  created bigint not null, -- microseconds since 1970
  expires bigint not null -- microseconds since 1970; 0 is never
);

create index upload_owner on upload (owner_id, created);

create index upload_hash on upload (hash);

create index upload_created on upload (created);
