-- Files that accounts have uploaded, without their contents.
create table upload (
  id integer primary key, -- from the clock of the message ids, so no other database issues it
  owner_id integer not null references account (id) on delete cascade,
  slot text not null unique,
  name text not null,
  type text not null,
  size integer not null, -- in bytes
  hash text not null, -- SHA-256 of the content, in hexadecimal
  created integer not null, -- microseconds since 1970
  expires integer not null -- microseconds since 1970; 0 is never
) strict;

create index upload_owner on upload (owner_id, created);

create index upload_hash on upload (hash);

create index upload_created on upload (created);
