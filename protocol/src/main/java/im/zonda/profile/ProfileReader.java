package im.zonda.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedClassLoader;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/// Reads a [Profile] from a recording.
///
/// Samples are weighted with the CPU time that each stands for, which the sampler changes. What the
/// kernel has counted for the collector and the compilers is added, and the samples stand for what
/// it has counted for threads of Java.
public final class ProfileReader {
  static final String EXCEPTION = "jdk.JavaExceptionThrow";
  static final String ERROR = "jdk.JavaErrorThrow";

  /// The length of time of events of the server.
  private static final String TOOK = "took";

  /// The weight of a sample that does not say its own.
  private static final long USUAL_WEIGHT = 10_000_000;

  private static final int MOST_TYPES = 500;

  private final Map<Category, Long> times = new EnumMap<>(Category.class);
  private final Map<Category, Long> walled = new EnumMap<>(Category.class);
  private final Map<ThreadKind, Long> threads = new EnumMap<>(ThreadKind.class);
  private final Map<String, Long> methods = new HashMap<>();
  private final Map<String, Long> sites = new HashMap<>();
  private final Map<String, Long> types = new HashMap<>();
  private final Map<String, Long> throwing = new HashMap<>();
  private final Map<RecordedClass, String> loaders = new HashMap<>();
  private final List<Long> throwables = new ArrayList<>();
  private long samples;
  private long wallSamples;
  private long lost;
  private long strings;
  private long stringsOrAddresses;
  private long growth;
  private @Nullable Long stanzas;
  private Profile.Waits pauses = Profile.Waits.NONE;
  private Profile.Waits slow = Profile.Waits.NONE;
  private Profile.Waits mailboxes = Profile.Waits.NONE;
  private Profile.Waits commits = Profile.Waits.NONE;
  private Profile.Waits pinned = Profile.Waits.NONE;
  private @Nullable Instant first;
  private @Nullable Instant last;

  private ProfileReader() {}

  /// Reads a recording.
  ///
  /// @throws IOException if it cannot be read, or is none
  public static Profile read(Path file) throws IOException {
    ProfileReader reader = new ProfileReader();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        reader.add(recording.readEvent());
      }
    }
    return reader.profile();
  }

  /// Reads a part of a recording. What the kernel has counted and how many stanzas came in is taken
  /// from that part's description, and not from the recording.
  ///
  /// @throws IOException if the file cannot be read, or is no recording
  public static Profile read(Path file, RecordedPart part) throws IOException {
    ProfileReader reader = new ProfileReader();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (part.contains(event.getStartTime())) {
          reader.add(event);
        }
      }
    }
    reader.threads.clear();
    reader.threads.putAll(part.threads());
    reader.stanzas = part.stanzas();
    reader.first = part.from();
    reader.last = part.to();
    return reader.profile();
  }

  private void add(RecordedEvent event) {
    Instant start = event.getStartTime();
    first = first == null || start.isBefore(first) ? start : first;
    last = last == null || event.getEndTime().isAfter(last) ? event.getEndTime() : last;
    switch (event.getEventType().getName()) {
      case RecordingSettings.CPU_SAMPLE -> addSample(event);
      case "jdk.ExecutionSample" -> addWallSample(event);
      case "jdk.CPUTimeSamplesLost" -> lost += event.getInt("lostSamples");
      case "jdk.ObjectAllocationSample" -> addAllocation(event);
      case "jdk.ExceptionStatistics" -> throwables.add(event.getLong("throwables"));
      case EXCEPTION, ERROR -> addThrown(event);
      case "jdk.GCPhasePause" -> pauses = pauses.and(event.getDuration());
      case "jdk.VirtualThreadPinned" -> pinned = pinned.and(event.getDuration());
      case "zonda.StanzaSlow" -> slow = slow.and(event.getDuration(TOOK));
      case "zonda.MailboxWait" -> mailboxes = mailboxes.and(event.getDuration(TOOK));
      case "zonda.Commit" -> commits = commits.and(event.getDuration(TOOK));
      case ThreadTime.NAME ->
          threads.merge(
              ThreadKind.valueOf(event.getString("kind")),
              event.getDuration("time").toNanos(),
              Long::sum);
      case StanzaCount.NAME -> stanzas = event.getLong("stanzas");
      default -> {}
    }
  }

  private void addSample(RecordedEvent event) {
    long weight = event.getDuration("samplingPeriod").toNanos();
    samples++;
    List<Frame> stack = stack(event);
    Category category = Categories.of(stack);
    times.merge(category, weight, Long::sum);
    if (!stack.isEmpty()) {
      methods.merge(stack.getFirst().toString(), weight, Long::sum);
    }
    boolean isString = Categories.isString(stack);
    strings += isString ? weight : 0;
    stringsOrAddresses += isString || category == Category.ADDRESSES ? weight : 0;
    growth += Categories.isGrowth(stack) ? weight : 0;
  }

  /// Counts only if there are no samples of CPU time.
  private void addWallSample(RecordedEvent event) {
    wallSamples++;
    walled.merge(Categories.of(stack(event)), USUAL_WEIGHT, Long::sum);
  }

  private void addAllocation(RecordedEvent event) {
    Frame site = Categories.site(stack(event));
    long bytes = event.getLong("weight");
    sites.merge(site == null ? "?" : site.toString(), bytes, Long::sum);
    RecordedClass type = event.getClass("objectClass");
    types.merge(type == null ? "?" : type.getName(), bytes, Long::sum);
  }

  private void addThrown(RecordedEvent event) {
    Frame site = Categories.site(stack(event));
    RecordedClass type = event.getClass("thrownClass");
    String name = type == null ? "?" : type.getName();
    throwing.merge(
        name.substring(name.lastIndexOf('.') + 1) + " in " + (site == null ? "?" : site),
        1L,
        Long::sum);
  }

  private List<Frame> stack(RecordedEvent event) {
    RecordedStackTrace trace = event.getStackTrace();
    if (trace == null) {
      return List.of();
    }
    List<Frame> frames = new ArrayList<>();
    for (RecordedFrame each : trace.getFrames()) {
      RecordedClass type = each.getMethod().getType();
      frames.add(
          new Frame(
              type.getName(),
              each.getMethod().getName(),
              !isOfProgram(loaders.computeIfAbsent(type, ProfileReader::loader))));
    }
    return frames;
  }

  private static String loader(RecordedClass type) {
    RecordedClassLoader loader = type.getClassLoader();
    RecordedClass loaderType = loader == null ? null : loader.getType();
    return loaderType == null ? "" : loaderType.getName();
  }

  /// The loaders of the virtual machine have no class or one of these.
  private static boolean isOfProgram(String loader) {
    return loader.isEmpty() || loader.startsWith("jdk.internal.");
  }

  private Profile profile() {
    boolean bySamples = samples > 0;
    Map<Category, Long> measured = bySamples ? times : walled;
    long sampled = measured.values().stream().mapToLong(Long::longValue).sum();
    long java = threads.getOrDefault(ThreadKind.JAVA, sampled);
    Map<Category, Double> nanos = new EnumMap<>(Category.class);
    measured.forEach((category, time) ->
        nanos.put(category, sampled == 0 ? 0.0 : (double) time / sampled * java));
    add(nanos, Category.COLLECTOR, ThreadKind.COLLECTOR);
    add(nanos, Category.COMPILER, ThreadKind.COMPILER);
    add(nanos, Category.REST, ThreadKind.MACHINE);
    double all = nanos.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<Category, Double> shares = new EnumMap<>(Category.class);
    nanos.forEach((category, time) -> shares.put(category, all == 0 ? 0.0 : time / all));
    return new Profile(
        first == null || last == null ? Duration.ZERO : Duration.between(first, last),
        Duration.ofNanos((long) all),
        bySamples ? samples : wallSamples,
        lost,
        shares,
        sampled == 0 || all == 0 ? Profile.Strings.NONE : strings(java / (sampled * all)),
        stanzas,
        new Profile.Exceptions(
            throwables.isEmpty() ? 0 : throwables.getLast() - throwables.getFirst(),
            most(throwing)),
        new Profile.Allocation(
            sites.values().stream().mapToLong(Long::longValue).sum(),
            most(sites),
            most(types, MOST_TYPES)),
        most(methods),
        pauses,
        slow,
        mailboxes,
        commits,
        pinned);
  }

  private Profile.Strings strings(double each) {
    return new Profile.Strings(strings * each, stringsOrAddresses * each, growth * each);
  }

  private void add(Map<Category, Double> nanos, Category category, ThreadKind kind) {
    nanos.merge(category, (double) threads.getOrDefault(kind, 0L), Double::sum);
  }

  private static List<Profile.Part> most(Map<String, Long> weights) {
    return most(weights, Profile.MOST);
  }

  private static List<Profile.Part> most(Map<String, Long> weights, int limit) {
    double all = Math.max(1, weights.values().stream().mapToLong(Long::longValue).sum());
    return weights.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(limit)
        .map(each -> new Profile.Part(each.getKey(), each.getValue() / all))
        .toList();
  }
}
