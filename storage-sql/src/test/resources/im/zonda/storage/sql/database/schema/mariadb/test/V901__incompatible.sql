-- The version before cannot live with this.
alter table account add column fruit integer;
