package im.zonda.app.transfer.destination;

import im.zonda.app.transfer.Omission;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Counts what was taken, or would be, and what was left out. Thread-safe.
public final class ImportReport {
  /// How many omissions are kept with their details; all are counted.
  private static final int OMISSIONS = 1_000;

  private final Map<Kind, Long> taken = new EnumMap<>(Kind.class);
  private final Map<String, Long> leftOut = new TreeMap<>();
  private final Map<String, Long> credentials = new TreeMap<>();
  private final List<Omission> omissions = new ArrayList<>();
  private long omitted;
  private long doneBefore;

  /// Counts what was taken.
  public synchronized void count(Kind kind, long number) {
    if (number > 0) {
      taken.merge(kind, number, Long::sum);
    }
  }

  /// Counts accounts by what people log in with.
  synchronized void countCredentials(String words) {
    credentials.merge(words, 1L, Long::sum);
  }

  /// Counts things that were left out for the same reason.
  synchronized void leaveOut(Kind kind, String why, long number) {
    if (number > 0) {
      leftOut.merge(kind.words() + ": " + why, number, Long::sum);
    }
  }

  /// Takes note of one thing that was left out.
  public synchronized void omit(Omission omission) {
    omitted++;
    if (omissions.size() < OMISSIONS) {
      omissions.add(omission);
    }
  }

  /// Counts an account or room that an earlier run has taken.
  synchronized void countDoneBefore() {
    doneBefore++;
  }

  /// The number of a kind that was taken.
  public synchronized long taken(Kind kind) {
    return taken.getOrDefault(kind, 0L);
  }

  /// The number of accounts and rooms that an earlier run has taken.
  public synchronized long doneBefore() {
    return doneBefore;
  }

  /// The number of single things that were left out.
  public synchronized long omitted() {
    return omitted;
  }

  /// The first things that were left out.
  public synchronized List<Omission> omissions() {
    return List.copyOf(omissions);
  }

  /// The numbers of things that were left out, by kind and reason.
  public synchronized Map<String, Long> leftOut() {
    return new LinkedHashMap<>(leftOut);
  }

  /// The numbers of accounts by what people log in with.
  public synchronized Map<String, Long> credentials() {
    return new LinkedHashMap<>(credentials);
  }
}
