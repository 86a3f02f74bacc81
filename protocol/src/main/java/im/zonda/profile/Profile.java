package im.zonda.profile;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The figures of a recording.
///
/// @param time how long the recording took
/// @param cpu the CPU time that is divided among the categories
/// @param samples how many samples say how
/// @param lost samples that were not taken because the sampler was behind
/// @param shares the part of each category, from 0 to 1
/// @param strings what was work with strings, for whichever category
/// @param stanzas the stanzas that came in; null if the recording does not say it
/// @param exceptions the exceptions that were made
/// @param allocation what was allocated
/// @param methods the methods that ran, the most first
/// @param pauses the pauses of the collector
/// @param slow stanzas that took 10 ms or more
/// @param mailboxes waits of 1 ms or more for homes
/// @param commits transactions of the message log
/// @param pinned virtual threads that kept their carrier while they waited
public record Profile(
    Duration time,
    Duration cpu,
    long samples,
    long lost,
    Map<Category, Double> shares,
    Strings strings,
    @Nullable Long stanzas,
    Exceptions exceptions,
    Allocation allocation,
    List<Part> methods,
    Waits pauses,
    Waits slow,
    Waits mailboxes,
    Waits commits,
    Waits pinned) {
  /// How many methods and sites are listed.
  public static final int MOST = 10;

  /// A method, or the name of a class, and its part, from 0 to 1.
  public record Part(String method, double share) {}

  /// Parts of the CPU time, from 0 to 1.
  ///
  /// @param share in strings and characters
  /// @param withAddresses in these, or for addresses
  /// @param growth in copying the text of a builder that has become too small for it
  public record Strings(double share, double withAddresses, double growth) {
    static final Strings NONE = new Strings(0, 0, 0);
  }

  /// Exceptions.
  ///
  /// @param count how many were made
  /// @param sites which and where, the most first; empty if the recording does not say it
  public record Exceptions(long count, List<Part> sites) {
    /// Copies the list.
    public Exceptions {
      sites = List.copyOf(sites);
    }
  }

  /// What was allocated, estimated from samples.
  ///
  /// @param bytes how much
  /// @param sites where, the most first
  /// @param types the classes, the most first
  public record Allocation(long bytes, List<Part> sites, List<Part> types) {
    /// Copies the lists.
    public Allocation {
      sites = List.copyOf(sites);
      types = List.copyOf(types);
    }

    /// The bytes of objects of a class; 0 if they are not among the most.
    public long of(String type) {
      return types.stream()
          .filter(part -> part.method().equals(type))
          .mapToLong(part -> Math.round(part.share() * bytes))
          .sum();
    }
  }

  /// Times in which something stood still.
  public record Waits(long count, Duration sum, Duration longest) {
    /// None.
    static final Waits NONE = new Waits(0, Duration.ZERO, Duration.ZERO);

    Waits and(Duration time) {
      return new Waits(count + 1, sum.plus(time), time.compareTo(longest) > 0 ? time : longest);
    }
  }

  /// Copies the collections.
  public Profile {
    shares = Map.copyOf(shares);
    methods = List.copyOf(methods);
  }

  /// The part of a category, from 0 to 1.
  public double share(Category category) {
    return shares.getOrDefault(category, 0.0);
  }

  /// Exceptions for each 1,000 stanzas; null if no stanzas came in.
  public @Nullable Double exceptionsPerThousand() {
    return stanzas == null || stanzas == 0 ? null : exceptions.count() * 1_000.0 / stanzas;
  }

  /// How far a share can be wrong by chance: half of the interval that has the true one in 95 of
  /// 100 cases.
  public double margin(double share) {
    return samples == 0 ? 1 : 1.96 * Math.sqrt(share * (1 - share) / samples);
  }
}
