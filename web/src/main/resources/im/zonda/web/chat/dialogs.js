import { page } from './page.js';

const { html } = converse.env;

// The class of all dialogues of converse.js. It gives them no name for screen readers, and its
// button to close them is in English.
export function dialogClass(api) {
  const { registry } = api.elements;
  const Dialog = Object.getPrototypeOf(registry['converse-add-muc-modal']);
  const show = Dialog.prototype.show;
  Dialog.prototype.show = function () {
    this.setAttribute('role', 'dialog');
    this.setAttribute('aria-label', this.getModalTitle());
    return show.call(this);
  };
  Dialog.prototype.renderModalFooter = () => html`
    <div class="modal-footer">
      <button type="button" class="btn btn-secondary" data-bs-dismiss="modal">${page.chatClose}</button>
    </div>`;
  // That of the profile has log out, which is in the menu.
  delete registry['converse-profile-modal'].prototype.renderModalFooter;
  return Dialog;
}
