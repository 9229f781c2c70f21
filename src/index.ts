/** Plugins. */ export default [];
