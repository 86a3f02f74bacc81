package im.zonda.profile;

/// A method on a stack.
///
/// @param type the name of its class
/// @param method its name
/// @param isPlugin whether the class was loaded by none of the loaders of the program
public record Frame(String type, String method, boolean isPlugin) {
  /// A method of the program or of the JDK.
  public static Frame of(String type, String method) {
    return new Frame(type, method, false);
  }

  /// The method with the simple name of its class.
  public String shortName() {
    return type.substring(type.lastIndexOf('.') + 1) + "." + method;
  }

  @Override
  public String toString() {
    return type + "." + method;
  }
}
