insert into fruit (name) values ('lost');
insert into nothing (name) values ('x');
