package im.zonda.app;

/// The program.
public final class Main {
  private Main() {}

  /// Runs a command.
  public static void main(String[] arguments) {
    System.out.println("hello");
  }
}
