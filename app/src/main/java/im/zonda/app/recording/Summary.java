package im.zonda.app.recording;

import im.zonda.operation.Field;
import im.zonda.profile.Category;
import im.zonda.profile.Profile;
import im.zonda.profile.ProfileText;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Summary of a recording, as an operation has it.
public record Summary(
    @Field(value = "the summary in words", form = Field.Form.LINES) String text,
    @Field("how many seconds it took") double seconds,
    @Field("how many seconds of CPU the process used in that time") double cpuSeconds,
    @Field("how many samples the shares are from") long samples,
    @Field("samples that could not be taken") long lost,
    @Field("by how many points a share of a half can be wrong") double margin,
    @Field("what the CPU was used for, the most first") List<Share> shares,
    @Field("the percentage of network and XML together") double networkAndXml,
    @Field("the percentage in strings and characters, whatever they were for") double strings,
    @Field("stanzas that came in; null if that is not known") @Nullable Long stanzas,
    @Field("exceptions that were made") long exceptions,
    @Field("exceptions for each 1,000 stanzas; null without stanzas")
        @Nullable Double exceptionsPerThousand,
    @Field(value = "bytes that were allocated, estimated", form = Field.Form.BYTES) long allocated,
    @Field("who allocates most") List<Place> allocation,
    @Field("the methods with most time") List<Place> methods,
    @Field("pauses of the garbage collector") Waits pauses,
    @Field("stanzas that took 10 ms or more") Waits slow,
    @Field("waits of 1 ms or more for homes") Waits mailboxes,
    @Field("transactions of the message log") Waits commits,
    @Field("virtual threads that held their carrier while they waited") Waits pinned) {
  private static final double NANOS = 1e9;
  private static final double MILLION = 1e6;

  /// The part of a category.
  public record Share(
      @Field("for what") Category category,
      @Field("the percentage of the CPU time") double percent) {}

  /// The part of a method.
  public record Place(
      @Field("the method") String method, @Field("its percentage") double percent) {}

  /// Times in which something stood still.
  public record Waits(
      @Field("how many") long count,
      @Field("milliseconds together") double millis,
      @Field("milliseconds of the longest") double longest) {}

  /// The summary of a profile.
  static Summary of(Profile profile) {
    Double exceptions = profile.exceptionsPerThousand();
    return new Summary(
        ProfileText.of(profile),
        seconds(profile.time()),
        seconds(profile.cpu()),
        profile.samples(),
        profile.lost(),
        percent(profile.margin(0.5)),
        Arrays.stream(Category.values())
            .filter(one -> profile.share(one) > 0)
            .sorted(Comparator.comparingDouble((Category one) -> -profile.share(one)))
            .map(one -> new Share(one, percent(profile.share(one))))
            .toList(),
        percent(profile.share(Category.NETWORK) + profile.share(Category.XML)),
        percent(profile.strings().share()),
        profile.stanzas(),
        profile.exceptions().count(),
        exceptions == null ? null : rounded(exceptions),
        profile.allocation().bytes(),
        places(profile.allocation().sites()),
        places(profile.methods()),
        waits(profile.pauses()),
        waits(profile.slow()),
        waits(profile.mailboxes()),
        waits(profile.commits()),
        waits(profile.pinned()));
  }

  private static List<Place> places(List<Profile.Part> parts) {
    return parts.stream().map(each -> new Place(each.method(), percent(each.share()))).toList();
  }

  private static Waits waits(Profile.Waits waits) {
    return new Waits(waits.count(), millis(waits.sum()), millis(waits.longest()));
  }

  private static double seconds(Duration time) {
    return rounded(time.toNanos() / NANOS);
  }

  private static double millis(Duration time) {
    return rounded(time.toNanos() / MILLION);
  }

  private static double percent(double share) {
    return rounded(100 * share);
  }

  /// To hundredths.
  private static double rounded(double value) {
    return Math.round(100 * value) / 100.0;
  }
}
