create table fruit (
  name text not null
);
