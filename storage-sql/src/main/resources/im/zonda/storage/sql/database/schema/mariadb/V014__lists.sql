-- The lists of administrators: events by time, whatever else is looked for, and rooms by age.
drop index if exists audit_event_caller on audit_event;

create index if not exists audit_event_caller on audit_event (caller, time, id);

drop index if exists audit_event_operation on audit_event;

create index if not exists audit_event_operation on audit_event (operation, time, id);

drop index if exists audit_event_area on audit_event;

create index if not exists audit_event_area on audit_event (area, time, id);

drop index if exists audit_event_host on audit_event;

create index if not exists audit_event_host on audit_event (host, time, id);

drop index if exists audit_event_subject on audit_event;

create index if not exists audit_event_subject on audit_event (subject, time, id);

create index if not exists room_created on room (domain, created, local);
