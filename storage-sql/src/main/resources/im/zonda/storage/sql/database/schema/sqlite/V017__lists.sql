-- The lists of administrators: events by time, whatever else is looked for, and rooms by age.
drop index audit_event_caller;

create index audit_event_caller on audit_event (caller, time);

drop index audit_event_operation;

create index audit_event_operation on audit_event (operation, time);

drop index audit_event_area;

create index audit_event_area on audit_event (area, time);

drop index audit_event_host;

create index audit_event_host on audit_event (host, time);

drop index audit_event_subject;

create index audit_event_subject on audit_event (subject, time);

create index room_created on room (domain, created, local);
