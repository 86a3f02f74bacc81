-- What administrators have done or tried to do.
create table audit_event (
  id integer primary key, -- from the clock of the message ids, so no other node issues it
  time integer not null, -- microseconds since 1970
  caller text not null,
  via text not null, -- the way by which the caller came
  address text, -- network address of the caller
  operation text not null,
  area text not null, -- the operation up to its first dot
  host text,
  subject text, -- the address that it was about
  outcome text not null,
  detail text
) strict;

create index audit_event_time on audit_event (time);

create index audit_event_caller on audit_event (caller, id);

create index audit_event_operation on audit_event (operation, id);

create index audit_event_area on audit_event (area, id);

create index audit_event_host on audit_event (host, id);

create index audit_event_subject on audit_event (subject, id);
