package im.zonda.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetersTest {
  private static final Meter FILES = Meter.counter("zonda_files_total", "Files", Label.HOST);
  private static final Meter TASKS = Meter.gauge("zonda_tasks", "Tasks");

  private final Map<String, List<Reading>> hosts = new LinkedHashMap<>();
  private final List<String> failed = new ArrayList<>();
  private final Meters meters =
      new Meters(() -> hosts, (meter, cause) -> failed.add(meter + " " + cause.getMessage()));

  private static Reading files(int count) {
    return FILES.by(() -> count);
  }

  @Test
  void metersOfModulesAreToldApartByHost() {
    hosts.put("a.example", List.of(files(3)));
    hosts.put("b.example", List.of(files(4)));
    hosts.put("c.example", List.of());
    meters.add(List.of(TASKS.by(() -> 7)));
    assertThat(meters.read())
        .containsExactly(
            new Meters.Family(FILES, List.of(Sample.of(3, "a.example"), Sample.of(4, "b.example"))),
            new Meters.Family(TASKS, List.of(Sample.of(7))));
  }

  @Test
  void manyHostsAreOne() {
    for (int i = 0; i <= Meters.MOST_HOSTS; i++) {
      hosts.put("h" + i + ".example", List.of(files(2)));
    }
    assertThat(meters.read())
        .containsExactly(
            new Meters.Family(FILES, List.of(Sample.of(2 * (Meters.MOST_HOSTS + 1), "all"))));
  }

  @Test
  void timesOfManyHostsAreOneToo() {
    Meter meter = Meter.timing("zonda_work_seconds", "Work", Label.HOST);
    Timing timing = new Timing();
    timing.record(5_000_000);
    for (int i = 0; i <= Meters.MOST_HOSTS; i++) {
      hosts.put("h" + i + ".example", List.of(meter.by(timing)));
    }
    assertThat(meters.read().getFirst().samples())
        .singleElement()
        .isInstanceOfSatisfying(
            Sample.Times.class,
            times -> assertThat(times.counts().count()).isEqualTo(Meters.MOST_HOSTS + 1));
  }

  @Test
  void whatAModuleDeclaredIsGoneWithIt() {
    hosts.put("a.example", List.of(files(3)));
    assertThat(meters.read()).hasSize(1);
    hosts.put("a.example", List.of());
    assertThat(meters.read()).isEmpty();
  }

  @Test
  void oneThatFailsCostsItselfOnly() {
    meters.add(
        List.of(
            TASKS.by(() -> {
              throw new IllegalStateException("broken");
            }),
            Meter.gauge("zonda_homes", "Homes").by(() -> 1)));
    assertThat(PrometheusText.of(meters.read())).contains("zonda_homes 1").doesNotContain("tasks");
    assertThat(failed).containsExactly("zonda_tasks broken");
  }

  @Test
  void noTwoHaveOneName() {
    meters.add(List.of(TASKS.by(() -> 7)));
    assertThatThrownBy(() -> meters.add(List.of(TASKS.by(() -> 8))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void namesAreByTheConvention() {
    for (Meter.Kind kind : Meter.Kind.values()) {
      for (String wrong : List.of("tasks", "zonda_Tasks", "zonda_", "zonda_tasks_total_count")) {
        if (kind != Meter.Kind.GAUGE || !wrong.endsWith("count")) {
          assertThatThrownBy(() -> new Meter(wrong, kind, "Tasks", List.of()))
              .as("%s %s", kind, wrong)
              .isInstanceOf(IllegalArgumentException.class);
        }
      }
    }
    assertThatThrownBy(() -> Meter.counter("zonda_tasks", "Tasks"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Meter.gauge("zonda_tasks_total", "Tasks"))
        .isInstanceOf(IllegalArgumentException.class);
    String[] many = new String[Label.MOST_VALUES + 1];
    for (int i = 0; i < many.length; i++) {
      many[i] = "v" + i;
    }
    assertThatThrownBy(() -> Label.of("kind", many)).isInstanceOf(IllegalArgumentException.class);
  }
}
