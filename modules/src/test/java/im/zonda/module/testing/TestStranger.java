package im.zonda.module.testing;

import im.zonda.module.UnauthenticatedHandler;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A client whose stream has not authenticated.
public final class TestStranger implements UnauthenticatedHandler.Client {
  private final InetAddress address;
  private final Map<Class<?>, Object> values = new HashMap<>();

  /// A client at that address.
  public TestStranger(InetAddress address) {
    this.address = address;
  }

  @Override
  public InetAddress address() {
    return address;
  }

  @Override
  public <T> @Nullable T get(Class<T> type) {
    return type.cast(values.get(type));
  }

  @Override
  public <T> void keep(Class<T> type, T value) {
    values.put(type, value);
  }

  @Override
  public void forget(Class<?> type) {
    values.remove(type);
  }
}
