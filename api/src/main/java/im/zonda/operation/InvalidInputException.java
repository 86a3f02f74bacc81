package im.zonda.operation;

import java.io.Serial;

/// A value that an operation cannot use. The message is a sentence for the caller.
public final class InvalidInputException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  private final String field;

  /// @param field the name of the component, with those of the groups that it is in
  public InvalidInputException(String field, String message) {
    super(message, null, false, false);
    this.field = field;
  }

  /// The name of the component.
  public String field() {
    return field;
  }
}
