// Shows the number of unread messages in the page's title, as converse.js does in its icon.
export function showUnread(_converse) {
  const { api } = _converse;
  const title = document.title;
  api.waitUntil('chatBoxesInitialized').then(() => {
    const { chatboxes } = _converse.state;
    const show = () => {
      const unread = chatboxes.models.reduce((sum, chat) => sum + (chat.get('num_unread') || 0), 0);
      document.title = unread ? `(${unread}) ${title}` : title;
    };
    chatboxes.on('change:num_unread', show);
    chatboxes.on('remove', show);
    chatboxes.on('reset', show);
  });
}
