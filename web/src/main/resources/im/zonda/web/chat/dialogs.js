// The class of all dialogues of converse.js. It gives them no name for screen readers.
export function dialogClass(api) {
  const Dialog = Object.getPrototypeOf(api.elements.registry['converse-add-muc-modal']);
  const show = Dialog.prototype.show;
  Dialog.prototype.show = function () {
    this.setAttribute('role', 'dialog');
    this.setAttribute('aria-label', this.getModalTitle());
    return show.call(this);
  };
  return Dialog;
}
