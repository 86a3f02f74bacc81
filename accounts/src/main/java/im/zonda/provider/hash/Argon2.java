package im.zonda.provider.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/// Argon2 (RFC 9106): `$argon2id$v=19$m=65536,t=3,p=4$salt$hash`.
final class Argon2 implements StoredPassword {
  private static final Pattern SHAPE =
      Pattern.compile(
          "\\$argon2(id|i|d)(?:\\$v=(16|19))?\\$m=(\\d{1,9}),t=(\\d{1,9}),p=(\\d{1,3})"
              + "\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");
  private static final int LEAST_BYTES = 4;
  private static final int MOST_BYTES = 128;

  private final Argon2Parameters parameters;
  private final int memory;
  private final byte[] expected;

  private Argon2(Argon2Parameters parameters, int memory, byte[] expected) {
    this.parameters = parameters;
    this.memory = memory;
    this.expected = expected;
  }

  static Argon2 read(String text) throws UnreadableHashException {
    Matcher parts = SHAPE.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("the shape");
    }
    int memory = Costs.memory(Long.parseLong(parts.group(3)));
    int passes = Integer.parseInt(parts.group(4));
    int lanes = Integer.parseInt(parts.group(5));
    Costs.bounded("KiB of memory in all passes", (long) memory * passes, Costs.WRITTEN);
    byte[] expected = Base64.getDecoder().decode(parts.group(7));
    if (passes == 0 || lanes == 0 || memory < 8 * lanes) {
      throw new IllegalArgumentException("the parameters");
    }
    if (expected.length < LEAST_BYTES || expected.length > MOST_BYTES) {
      throw new IllegalArgumentException("the length");
    }
    int type =
        switch (parts.group(1)) {
          case "i" -> Argon2Parameters.ARGON2_i;
          case "d" -> Argon2Parameters.ARGON2_d;
          default -> Argon2Parameters.ARGON2_id;
        };
    Argon2Parameters parameters =
        new Argon2Parameters.Builder(type)
            .withVersion(
                "19".equals(parts.group(2))
                    ? Argon2Parameters.ARGON2_VERSION_13
                    : Argon2Parameters.ARGON2_VERSION_10)
            .withMemoryAsKB(memory)
            .withIterations(passes)
            .withParallelism(lanes)
            .withSalt(Base64.getDecoder().decode(parts.group(6)))
            .build();
    return new Argon2(parameters, memory, expected);
  }

  @Override
  public boolean matches(String password) throws InterruptedException {
    byte[] made =
        Costs.withMemory(
            memory,
            () -> {
              byte[] hash = new byte[expected.length];
              Argon2BytesGenerator generator = new Argon2BytesGenerator();
              generator.init(parameters);
              generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), hash);
              return hash;
            });
    return MessageDigest.isEqual(made, expected);
  }
}
