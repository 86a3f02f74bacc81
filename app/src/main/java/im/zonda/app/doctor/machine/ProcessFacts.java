package im.zonda.app.doctor.machine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Facts of this process. Sizes in bytes; null for what is not known.
///
/// @param isServer whether it is the server, not a command
/// @param openFiles the most files and connections that it may have open
/// @param swapped what of its memory is in the swap
/// @param user the number of its user; 0 is root
/// @param capabilities its capabilities as bits (capabilities(7))
/// @param java its Java runtime
public record ProcessFacts(
    boolean isServer,
    @Nullable Long openFiles,
    @Nullable Long swapped,
    @Nullable Long user,
    @Nullable Long capabilities,
    Java java) {
  /// A Java runtime.
  ///
  /// @param version the version as it is written
  /// @param feature its first number
  /// @param heap the most memory of the heap
  /// @param collectors the garbage collectors
  /// @param options the options on the command line
  public record Java(
      String version, int feature, long heap, List<String> collectors, List<String> options) {
    /// Copies the lists.
    public Java {
      collectors = List.copyOf(collectors);
      options = List.copyOf(options);
    }
  }
}
