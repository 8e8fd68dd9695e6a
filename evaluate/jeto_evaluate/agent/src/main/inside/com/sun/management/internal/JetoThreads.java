package com.sun.management.internal;

import com.sun.management.ThreadMXBean;
import sun.management.ThreadImpl;
import sun.management.VMManagement;

/**
 * The bean of threads as {@link HotSpotThreadImpl} is one, which however needs
 * {@code ManagementFactory}. When the class is initialized, after {@code JetoManagement}, it hands out
 * the bean and the one that knows the JVM's options.
 */
final class JetoThreads extends ThreadImpl implements ThreadMXBean {
  static {
    System.loadLibrary("management_ext");
    VMManagement jvm = (VMManagement) JetoBridge.handed[0];
    JetoBridge.handed = new Object[] {new JetoThreads(jvm), new HotSpotDiagnostic()};
  }

  private JetoThreads(VMManagement jvm) {
    super(jvm);
  }

  @Override
  public long[] getThreadCpuTime(long[] ids) {
    return super.getThreadCpuTime(ids);
  }

  @Override
  public long[] getThreadUserTime(long[] ids) {
    return super.getThreadUserTime(ids);
  }

  @Override
  public long getThreadAllocatedBytes(long id) {
    return super.getThreadAllocatedBytes(id);
  }

  @Override
  public long[] getThreadAllocatedBytes(long[] ids) {
    return super.getThreadAllocatedBytes(ids);
  }

  @Override
  public boolean isThreadAllocatedMemorySupported() {
    return super.isThreadAllocatedMemorySupported();
  }

  @Override
  public boolean isThreadAllocatedMemoryEnabled() {
    return super.isThreadAllocatedMemoryEnabled();
  }

  @Override
  public void setThreadAllocatedMemoryEnabled(boolean enable) {
    super.setThreadAllocatedMemoryEnabled(enable);
  }

  // Not of every JDK, and nobody asks for them; where ThreadImpl has them, they must be public.

  public long getCurrentThreadAllocatedBytes() {
    return super.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  public long getTotalThreadAllocatedBytes() {
    return -1;
  }
}
