import { invite, mayInvite } from './invite.js';
import { guest, page } from './page.js';

// What someone may want to do first, for the bar at their name and for the empty chat.
export function actions(api) {
  const all = [{
    icon: 'fa-pencil-alt', name: page.chatWrite, title: page.chatWriteTitle,
    text: page.chatWriteText,
    run: () => api.modal.show('converse-new-chat-modal', { model: new converse.env.Model() }),
  }, {
    icon: 'fa-comments', name: page.chatEnter, title: page.chatRoomOpen, text: page.chatEnterText,
    run: () => api.modal.show('converse-add-muc-modal', {}),
  }];
  if (mayInvite()) {
    all.push({
      icon: 'fa-user-plus', name: page.chatInvite, title: page.chatInviteTitle,
      text: page.chatInviteText, run: () => invite(api),
    });
  }
  return guest ? all.slice(1, 2) : all;
}
