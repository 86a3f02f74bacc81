package im.zonda.console.view;

import java.util.List;

/// A field of a form.
///
/// @param name the name of the value
/// @param label what is before it
/// @param about a few words about it; may be empty
/// @param kind how it is entered
/// @param value what is in it
/// @param options those of which one is chosen
/// @param required whether it must be filled in
/// @param wrong whether what was entered cannot be used
public record FormField(
    String name,
    String label,
    String about,
    Kind kind,
    String value,
    List<Option> options,
    boolean required,
    boolean wrong) {
  /// How a value is entered.
  public enum Kind {
    TEXT,
    LINES,
    NUMBER,
    FLAG,
    CHOICE,
    PASSWORD,
    /// A file: the form is sent in parts, and the value is the ending of its name.
    FILE
  }

  /// One of a choice.
  ///
  /// @param word the value
  /// @param label what is shown
  public record Option(String word, String label) {
    /// Those that are shown as they are.
    public static List<Option> of(List<String> words) {
      return words.stream().map(each -> new Option(each, each)).toList();
    }
  }

  /// Copies the list.
  public FormField {
    options = List.copyOf(options);
  }

  /// The identifier of the element.
  public String id() {
    return "f-" + name;
  }

  /// The identifier of the words about it.
  public String aboutId() {
    return "about-" + name;
  }
}
