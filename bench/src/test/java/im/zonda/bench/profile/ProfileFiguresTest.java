package im.zonda.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import im.zonda.bench.documents.DocumentRow;
import im.zonda.bench.documents.Documents;
import im.zonda.bench.result.Result;
import im.zonda.profile.Category;
import im.zonda.profile.Profile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProfileFiguresTest {
  /// Those that do not come from the recording.
  private static final Set<String> BESIDE = Set.of("recording-cost", "clock-call", "stream-header");

  private static final Profile.Waits NONE = new Profile.Waits(0, Duration.ZERO, Duration.ZERO);

  private static Profile profile(long samples, @Nullable Long stanzas) {
    return new Profile(
        Duration.ofSeconds(10),
        Duration.ofSeconds(5),
        samples,
        2,
        Map.of(
            Category.NETWORK, 0.3,
            Category.XML, 0.1,
            Category.COMPILER, 0.15,
            Category.COLLECTOR, 0.05,
            Category.STORAGE, 0.4),
        new Profile.Strings(0.02, 0.024, 0.001),
        stanzas,
        new Profile.Exceptions(3, List.of()),
        new Profile.Allocation(
            10_000,
            List.of(new Profile.Part("a.B.c", 1)),
            List.of(
                new Profile.Part("[B", 0.5),
                new Profile.Part("java.lang.String", 0.3),
                new Profile.Part("im.zonda.jid.Jid", 0.2))),
        List.of(),
        NONE,
        NONE,
        NONE,
        NONE,
        NONE);
  }

  private static Result.Figure figure(ProfileFigures figures, String name) {
    return figures.figures().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void sharesAreOfTheTimeThatTheProfileOf2005Saw() {
    ProfileFigures figures = new ProfileFigures(profile(2_400, null), null);

    assertThat(figure(figures, "network-and-xml").value()).isCloseTo(50, within(1e-9));
    assertThat(figure(figures, "jid-and-string").value()).isCloseTo(3, within(1e-9));
    assertThat(figure(figures, "share-network").value()).isCloseTo(30, within(1e-9));
    assertThat(figures.verdicts()).extracting(Result.Verdict::met).containsExactly(false, true);
  }

  /// 1.96 times the root of 0.5 x 0.5 / 2,400 is 2 points.
  @Test
  void sharesHaveMarginsAndFewSamplesAreSaid() {
    ProfileFigures few = new ProfileFigures(profile(2_400, null), null);
    ProfileFigures many = new ProfileFigures(profile(10_000, null), null);

    Result.Interval interval = Objects.requireNonNull(figure(few, "network-and-xml").interval());
    assertThat(interval.low()).isCloseTo(48, within(0.01));
    assertThat(interval.high()).isCloseTo(52, within(0.01));
    assertThat(few.notes(Path.of("a.jfr")).getFirst()).contains("2,400 samples", "by 2.0:");
    assertThat(many.notes(Path.of("a.jfr"))).noneMatch(note -> note.contains("samples;"));
  }

  @Test
  void exceptionsAndAllocationAreForStanzasAndOperations() {
    Operation message = new Operation("message", 100);
    ProfileFigures known = new ProfileFigures(profile(1, 1_500L), message);

    assertThat(figure(known, "exceptions").value()).isEqualTo(2);
    assertThat(figure(known, "allocation").value()).isEqualTo(100);
    assertThat(figure(known, "jid-allocation").value()).isEqualTo(50);
    assertThat(figure(new ProfileFigures(profile(1, null), message), "exceptions").value())
        .isEqualTo(30);
  }

  /// The table of the documents asks for figures by name.
  @Test
  void figuresOfTheDocumentsAreThere() {
    ProfileFigures figures = new ProfileFigures(profile(1, 1_500L), new Operation("message", 100));
    Set<String> made =
        figures.figures().stream().map(Result.Figure::name).collect(Collectors.toSet());
    Set<String> asked =
        Documents.rows().stream()
            .flatMap(row -> row.figures().stream())
            .filter(source -> source.scenario().equals(ProfiledScenario.RESULT))
            .map(DocumentRow.Source::figure)
            .collect(Collectors.toSet());

    assertThat(Stream.concat(made.stream(), BESIDE.stream()).collect(Collectors.toSet()))
        .containsAll(asked);
  }
}
