package im.zonda.console.view;

import java.util.List;

/// A form.
///
/// @param action where it is sent
/// @param post whether it changes something: it is then sent by POST, with a token
/// @param fields what is entered
/// @param hidden what is sent besides
/// @param submit the text of its button
/// @param confirm the sentence that must be confirmed before something is done that cannot be
///   undone; empty if there is no such thing
/// @param problem why what was sent before cannot be used; empty if it can
public record Form(
    String action,
    boolean post,
    List<FormField> fields,
    List<Hidden> hidden,
    String submit,
    String confirm,
    String problem) {
  /// A value that is sent without being shown.
  public record Hidden(String name, String value) {}

  /// Copies the lists.
  public Form {
    fields = List.copyOf(fields);
    hidden = List.copyOf(hidden);
  }
}
