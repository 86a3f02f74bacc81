-- The lists of administrators: events by time, whatever else is looked for, and rooms by age.
drop index audit_event_time;

create index audit_event_time on audit_event (time, id);

drop index audit_event_caller;

create index audit_event_caller on audit_event (caller, time, id);

drop index audit_event_operation;

create index audit_event_operation on audit_event (operation, time, id);

drop index audit_event_area;

create index audit_event_area on audit_event (area, time, id);

drop index audit_event_host;

create index audit_event_host on audit_event (host, time, id);

drop index audit_event_subject;

create index audit_event_subject on audit_event (subject, time, id);

create index room_created on room (domain, created, local);
