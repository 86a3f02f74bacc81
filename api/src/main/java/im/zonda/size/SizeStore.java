package im.zonda.size;

import java.util.List;
import java.util.random.RandomGenerator;

/// Sizes of domains in the stores. Calls block.
public interface SizeStore {
  /// A store that knows nothing.
  SizeStore NONE = (_, _) -> new Measured(List.of(), false);

  /// What the accounts and rooms of a domain have.
  ///
  /// @param messages in their archives, and those that wait for them
  /// @param bytes of these messages as they are stored, each counted once, for its receiver
  /// @param files that accounts have uploaded
  /// @param fileBytes the sum of their sizes
  record Size(
      String domain,
      long messages,
      long bytes,
      long accounts,
      long rooms,
      long files,
      long fileBytes) {
    /// A domain that has nothing.
    public static Size of(String domain) {
      return new Size(domain, 0, 0, 0, 0, 0, 0);
    }

    /// Both together, for the domain of this one.
    public Size plus(Size other) {
      return new Size(
          domain,
          messages + other.messages,
          bytes + other.bytes,
          accounts + other.accounts,
          rooms + other.rooms,
          files + other.files,
          fileBytes + other.fileBytes);
    }
  }

  /// What was found.
  ///
  /// @param sizes one for each domain that has something
  /// @param estimated whether messages and their bytes are an estimate from a sample
  record Measured(List<Size> sizes, boolean estimated) {
    /// Copies the list.
    public Measured {
      sizes = List.copyOf(sizes);
    }
  }

  /// Measures all domains. Of the log it reads `rows` messages and not many more: if there are
  /// more, some at random times.
  Measured measure(int rows, RandomGenerator random);
}
