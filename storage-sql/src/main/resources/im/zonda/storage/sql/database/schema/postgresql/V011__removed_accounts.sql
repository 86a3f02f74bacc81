-- Who has something about an account that was removed.
create index roster_item_contact on roster_item using hash (jid);

create index room_affiliation_user on room_affiliation using hash (jid);
