insert into fruit (name) values ('apple');
insert into fruit (name) values ('pear; ripe');
