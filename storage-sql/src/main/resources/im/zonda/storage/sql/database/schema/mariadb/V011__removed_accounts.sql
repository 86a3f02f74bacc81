-- Who has something about an account that was removed.
create index if not exists roster_item_contact on roster_item (jid(191));

create index if not exists room_affiliation_user on room_affiliation (jid(191));
