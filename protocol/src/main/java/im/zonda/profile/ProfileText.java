package im.zonda.profile;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// A profile in words.
public final class ProfileText {
  private static final double MILLION = 1_000_000;

  private ProfileText() {}

  /// The text, of several lines.
  public static String of(Profile profile) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "In %.1f s the process used %.2f s of CPU: %.0f %% of one core.%n",
            seconds(profile.time()),
            seconds(profile.cpu()),
            100 * seconds(profile.cpu()) / Math.max(1e-9, seconds(profile.time()))));
    if (profile.samples() == 0) {
      text.append("There are no samples that say what for.\n");
    } else {
      shares(profile, text);
    }
    stanzas(profile, text);
    text.append(waits("Pauses of the collector", profile.pauses()));
    text.append(waits("Stanzas of 10 ms or more", profile.slow()));
    text.append(waits("Waits of 1 ms or more for homes", profile.mailboxes()));
    text.append(waits("Transactions of the message log", profile.commits()));
    text.append(waits("Virtual threads that held their carrier", profile.pinned()));
    text.append(
        String.format(
            Locale.ROOT, "Allocated: about %.1f MB.%n", profile.allocation().bytes() / MILLION));
    list("Most is allocated by", profile.allocation().sites(), text);
    list("Most time is in", profile.methods(), text);
    return text.toString();
  }

  private static void shares(Profile profile, StringBuilder text) {
    text.append("For what:\n");
    Arrays.stream(Category.values())
        .filter(each -> profile.share(each) > 0)
        .sorted(Comparator.comparingDouble((Category each) -> -profile.share(each)))
        .forEach(each ->
            text.append(
                String.format(
                    Locale.ROOT, "  %-20s %5.1f %%%n", each.words(), 100 * profile.share(each))));
    double wire = profile.share(Category.NETWORK) + profile.share(Category.XML);
    text.append(
        String.format(
            Locale.ROOT,
            "Network and XML together: %.1f %%, without the compilers %.1f %%; strings and"
                + " characters, for whatever: %.1f %%.%n",
            100 * wire,
            100 * wire / Math.max(1e-9, 1 - profile.share(Category.COMPILER)),
            100 * profile.strings().share()));
    text.append(
        String.format(
            Locale.ROOT,
            "From %d samples (%d lost): a share of a half can be wrong by %.0f points.%n",
            profile.samples(),
            profile.lost(),
            Math.ceil(100 * profile.margin(0.5))));
  }

  private static void stanzas(Profile profile, StringBuilder text) {
    Double each = profile.exceptionsPerThousand();
    text.append(
        each == null
            ? String.format(Locale.ROOT, "Exceptions: %d.%n", profile.exceptions().count())
            : String.format(
                Locale.ROOT,
                "Stanzas: %d. Exceptions: %d, %.1f for each 1,000 stanzas.%n",
                profile.stanzas(),
                profile.exceptions().count(),
                each));
  }

  private static String waits(String what, Profile.Waits waits) {
    return waits.count() == 0
        ? what + ": none.\n"
        : String.format(
            Locale.ROOT,
            "%s: %d, together %.1f ms, the longest %.1f ms.%n",
            what,
            waits.count(),
            1_000 * seconds(waits.sum()),
            1_000 * seconds(waits.longest()));
  }

  private static void list(String title, List<Profile.Part> parts, StringBuilder text) {
    if (!parts.isEmpty()) {
      text.append(title).append(":\n");
      for (Profile.Part each : parts) {
        text.append(
            String.format(Locale.ROOT, "  %5.1f %%  %s%n", 100 * each.share(), each.method()));
      }
    }
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
