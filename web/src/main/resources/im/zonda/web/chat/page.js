// What the page says about this server, and how the reader entered.
export const page = document.body.dataset;

// Someone who has no account enters by /chat/?guest, has an address that lasts as long as the
// session, and chooses a nickname in each room.
export const guest = page.guests === 'true' && new URLSearchParams(location.search).has('guest');
