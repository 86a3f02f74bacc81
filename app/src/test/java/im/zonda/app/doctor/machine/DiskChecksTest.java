package im.zonda.app.doctor.machine;

import static im.zonda.app.finding.ExpectFinding.is;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.finding.Finding.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskChecksTest {
  private static final long MIB = 1L << 20;
  private static final DiskFacts GOOD =
      new DiskFacts(
          Path.of("/srv/zonda"),
          "ext4",
          100_000 * MIB,
          50_000 * MIB,
          100_000L,
          90_000L,
          speed(2, 9));

  private static DiskFacts.Speed speed(long median, long worst) {
    return new DiskFacts.Speed(Duration.ofMillis(median), Duration.ofMillis(worst));
  }

  private static DiskFacts with(String name, Object value) {
    return FactsCopy.with(GOOD, name, value);
  }

  @Test
  void aGoodDiskHasNothingToMend() {
    assertThat(DiskChecks.all(GOOD, true)).hasSize(4).allMatch(each -> each.level() == Level.OK);
  }

  @Test
  void space() {
    is(Level.OK, DiskChecks.space(with("free", 4_096 * MIB)), "4096 MiB of 100000 MiB are free");
    is(Level.WARNING, DiskChecks.space(with("free", 4_095 * MIB)), "archive.keep-days");
    is(Level.PROBLEM, DiskChecks.space(with("free", 511 * MIB)), "nothing is stored");
    DiskFacts small = FactsCopy.with(with("size", 5_000 * MIB), "free", 1_000 * MIB);
    is(Level.OK, DiskChecks.space(small));
    is(Level.WARNING, DiskChecks.space(FactsCopy.with(small, "free", 999 * MIB)));
  }

  @Test
  void inodes() {
    is(Level.OK, DiskChecks.inodes(with("freeInodes", 5_000L)));
    is(Level.WARNING, DiskChecks.inodes(with("freeInodes", 4_999L)), "df -i /srv/zonda");
    is(Level.PROBLEM, DiskChecks.inodes(with("freeInodes", 999L)));
    is(Level.OK, DiskChecks.inodes(FactsCopy.with(with("inodes", 0L), "freeInodes", 0L)));
    DiskFacts unknown =
        new DiskFacts(GOOD.folder(), "ext4", GOOD.size(), GOOD.free(), null, null, null);
    is(Level.OK, DiskChecks.inodes(unknown), "not known: ");
    is(Level.OK, DiskChecks.speed(unknown), "not known: ");
  }

  @Test
  void filesystem() {
    for (String local : List.of("ext4", "xfs", "btrfs", "zfs")) {
      is(Level.OK, DiskChecks.filesystem(with("type", local), true));
    }
    for (String network : List.of("nfs4", "cifs", "fuse.sshfs")) {
      is(
          Level.PROBLEM,
          DiskChecks.filesystem(with("type", network), true),
          "disk of another machine",
          "storage.url = \"postgresql://");
      is(Level.OK, DiskChecks.filesystem(with("type", network), false));
    }
    is(Level.PROBLEM, DiskChecks.filesystem(with("type", "tmpfs"), true), "is memory");
    is(Level.WARNING, DiskChecks.filesystem(with("type", "overlay"), true), "mount a volume");
  }

  @Test
  void speed() {
    is(Level.OK, DiskChecks.speed(with("speed", speed(20, 1_000))), "20.0 ms (median)");
    is(Level.WARNING, DiskChecks.speed(with("speed", speed(21, 30))), "a faster disk");
    is(Level.WARNING, DiskChecks.speed(with("speed", speed(1, 1_001))), "1001.0 ms at worst");
    is(Level.PROBLEM, DiskChecks.speed(with("speed", speed(201, 300))), "every message waits");
  }

  @Test
  void theDiskOfAFolderIsMeasured(@TempDir Path folder) throws Exception {
    DiskFacts facts = DiskReader.read(folder);
    assertThat(facts.folder()).isEqualTo(folder);
    assertThat(facts.type()).isNotEmpty();
    assertThat(facts.size()).isPositive();
    DiskFacts.Speed speed = Objects.requireNonNull(facts.speed());
    assertThat(speed.worst()).isGreaterThanOrEqualTo(speed.median());
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void aFolderThatDoesNotExistIsNotMade(@TempDir Path folder) throws Exception {
    DiskFacts facts = DiskReader.read(folder.resolve("a/b"));
    assertThat(facts.folder()).isEqualTo(folder);
    assertThat(facts.speed()).isNull();
    assertThat(folder.resolve("a")).doesNotExist();
  }
}
