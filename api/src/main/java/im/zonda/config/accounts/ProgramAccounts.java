package im.zonda.config.accounts;

import im.zonda.config.annotation.Setting;
import java.util.List;

/// Accounts of a program that answers by the extauth protocol.
public record ProgramAccounts(
    @Setting("the program and its arguments, such as `[\"/usr/local/bin/auth.py\"]`; must be set")
        List<String> command,
    @Setting(value = "how many of it run at a time", min = 1, max = 64) int instances,
    @Setting("environment of the program, each as `NAME=value`; it has no other variables")
        List<String> environment) {
  /// Nothing is set.
  public static final ProgramAccounts NONE = new ProgramAccounts(List.of(), 2, List.of());

  /// Copies the lists.
  public ProgramAccounts {
    command = List.copyOf(command);
    environment = List.copyOf(environment);
  }

  /// Without the environment.
  @Override
  public String toString() {
    return "ProgramAccounts[command=" + command + "]";
  }
}
