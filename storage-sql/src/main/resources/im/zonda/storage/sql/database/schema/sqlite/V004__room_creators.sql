-- Who has created a room, by bare address: those who may create only so many are counted by it, also
-- when others own the room. Null where it is not known.
alter table room add column creator text;

update room set creator =
  (select min(jid) from room_affiliation
   where room_affiliation.owner_id = room.owner_id and affiliation = 'owner');

create index room_creator on room (creator, domain);

-- The rooms that someone owns are no longer counted.
drop index room_owner;
