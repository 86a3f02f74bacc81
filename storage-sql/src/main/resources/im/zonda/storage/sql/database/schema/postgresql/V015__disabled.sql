-- Few accounts are disabled: they are listed without reading the others.
create index key_value_disabled on key_value (owner_id) where store = 'disabled';
